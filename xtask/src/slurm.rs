//! Slurm cluster of one node on this machine, to test the script of `faultlab slurm`. The script
//! runs an array job, of which two tasks are requeued. The merged result is compared with a single
//! run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::{run, search_path, tools};

/// Experiment: each task runs for a few seconds.
const TEXT: &str =
    "net=mesh:6x6&switch=wormhole&faults=isolated:0.05&route=f-cube2,f-cube4&vary=load:0.1..0.7:8&within=0.01";
const TASKS: &str = "8";
/// Debian packages of Slurm.
const PACKAGES: [&str; 2] = ["slurm-wlm", "munge"];
/// Timeout; the test usually takes two minutes.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Runs the test and returns its line in the summary.
pub(crate) fn check() -> Result<String> {
    if search_path::find("slurmctld").is_none() || search_path::find("munged").is_none() {
        tools::install_packages(&PACKAGES)?;
    }
    let program = run::build_for_tests()?.command_line;
    let cluster = Cluster::start()?;
    let folder = cluster.folder.join("run");
    let script = cluster.folder.join("job.sh");
    let folder_text = folder.to_str().context("a path")?;
    let printed = run::output(Command::new(&program).args([
        "slurm",
        TEXT,
        "--tasks",
        TASKS,
        "--time",
        "10",
        "--folder",
        folder_text,
    ]))?;
    fs::write(&script, printed).context("writing the script")?;
    run::run(cluster.command("bash").arg(&script))?;
    cluster.requeue_two()?;
    cluster.wait_for_merge(&folder)?;
    let stopped = (1..=8).filter(|share| {
        let log = fs::read_to_string(folder.join(format!("shard-{share}.log")));
        log.is_ok_and(|log| log.contains("CANCELLED"))
    });
    let stopped = stopped.count();
    ensure!(stopped >= 2, "{stopped} tasks were stopped and resumed; expected at least 2");
    let alone = cluster.folder.join("alone.journal");
    let alone_text = alone.to_str().context("a path")?;
    for format in ["csv", "json"] {
        let merged = fs::read_to_string(folder.join(format!("result.{format}"))).context("the result")?;
        let alone = ["run", TEXT, "--quiet", "--journal", alone_text, &format!("--{format}")];
        let alone = run::output(Command::new(&program).args(alone))?;
        ensure!(merged == alone, "result.{format} differs from the output of a single machine");
    }
    Ok(format!("{TASKS} tasks, {stopped} requeued; identical bytes"))
}

/// Daemons of the cluster, which end when the cluster is dropped.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start() -> Result<Self> {
        let folder = env::temp_dir().join(format!("faultlab-slurm-{}", std::process::id()));
        fs::create_dir_all(folder.join("state")).with_context(|| format!("creating {}", folder.display()))?;
        let host = run::output(&mut Command::new("hostname"))?.trim().to_owned();
        fs::write(folder.join("slurm.conf"), configuration(&host, &folder)).context("writing slurm.conf")?;
        let mut cluster = Self { folder, daemons: Vec::new() };
        if !has_munge() {
            run::run(Command::new("install").args(["-d", "-o", "munge", "/run/munge"]))?;
            let user = ["--reuid=munge", "--regid=munge", "--clear-groups", "munged", "--foreground", "--force"];
            cluster.daemon("setpriv", &user)?;
            wait_until("munged answers", Duration::from_secs(20), || Ok(has_munge()))?;
        }
        cluster.daemon("slurmctld", &["-D"])?;
        cluster.daemon("slurmd", &["-D"])?;
        wait_until("the node is up", Duration::from_secs(60), || {
            Ok(cluster.output("sinfo", &["--noheader", "--format=%T"]).is_ok_and(|states| states.trim() == "idle"))
        })?;
        Ok(cluster)
    }

    fn daemon(&mut self, name: &str, arguments: &[&str]) -> Result<()> {
        let log = fs::File::create(self.folder.join(format!("{name}.out"))).context("a log")?;
        let mut command = self.command(name);
        command.args(arguments).stdin(Stdio::null()).stdout(log.try_clone().context("a log")?).stderr(log);
        self.daemons.push(run::start(&mut command)?);
        Ok(())
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        let inherited = env::var("PATH").unwrap_or_default();
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).env("PATH", format!("{inherited}:/usr/sbin:/sbin"));
        command
    }

    /// Returns the output of a Slurm command.
    fn output(&self, name: &str, arguments: &[&str]) -> Result<String> {
        let output = self.command(name).args(arguments).output().with_context(|| format!("starting {name}"))?;
        ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Returns the tasks in a state, which is named as in Slurm.
    fn tasks(&self, state: &str) -> Result<Vec<String>> {
        let told = self.output("squeue", &["--noheader", "--array", "--format=%i %t"])?;
        let lines = told.lines().filter_map(|line| line.trim().split_once(' '));
        Ok(lines.filter(|(id, is)| *is == state && id.contains('_')).map(|(id, _)| id.to_owned()).collect())
    }

    /// Requeues two tasks while they run: one by `scontrol`, as an administrator would, the other
    /// by the signal that precedes the time limit.
    fn requeue_two(&self) -> Result<()> {
        wait_until("two tasks are running", TIMEOUT, || Ok(self.tasks("R")?.len() >= 2))?;
        std::thread::sleep(Duration::from_secs(1));
        let running = self.tasks("R")?;
        let [one, other, ..] = running.as_slice() else { bail!("the tasks ended before they could be requeued") };
        self.output("scontrol", &["requeue", one])?;
        // `scancel` sends the signal and then waits a minute, so a timeout ends it.
        let mut command = self.command("timeout");
        let _ = command.args(["5", "scancel", "--batch", "--signal=TERM", other]).stderr(Stdio::null()).status();
        Ok(())
    }

    /// Waits for the merge. Requeued tasks would otherwise wait for two minutes before they start.
    fn wait_for_merge(&self, folder: &Path) -> Result<()> {
        wait_until("the results exist", TIMEOUT, || {
            for task in self.tasks("PD")? {
                // A task that is being requeued cannot be changed yet.
                let _ = self.output("scontrol", &["update", &format!("JobId={task}"), "StartTime=now"]);
            }
            Ok(folder.join("result.json").exists())
        })
        .inspect_err(|_| {
            for log in ["run/merge.log", "run/shard-1.log", "slurmctld.log", "slurmd.log"] {
                let text = fs::read_to_string(self.folder.join(log)).unwrap_or_default();
                let lines: Vec<_> = text.lines().collect();
                eprintln!("{log}:\n{}", lines[lines.len().saturating_sub(20)..].join("\n"));
            }
        })
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.output("scancel", &["--user=root", "--signal=KILL"]);
        for daemon in self.daemons.iter_mut().rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let _ = daemon.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns whether munge can create and read credentials.
fn has_munge() -> bool {
    let script = "munge --no-input | unmunge --keys=STATUS";
    Command::new("sh")
        .args(["-c", script])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|it| it.success())
}

fn wait_until(what: &str, patience: Duration, is: impl Fn() -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !is()? {
        ensure!(begun.elapsed() < patience, "timed out after {} seconds: {what}", patience.as_secs());
        std::thread::sleep(Duration::from_millis(500));
    }
    Ok(())
}

/// Returns the configuration of one node that takes two tasks at a time, on any machine.
fn configuration(host: &str, folder: &Path) -> String {
    let at = folder.display();
    format!(
        "ClusterName=faultlab\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSlurmctldPort=16817\nSlurmdPort=16818\n\
         SlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/slurmd.pid\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\n\
         SlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/slurmd.log\nSlurmdParameters=config_overrides\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerParameters=bf_interval=1,sched_interval=2\n\
         ReturnToService=2\nNodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
         PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    )
}
