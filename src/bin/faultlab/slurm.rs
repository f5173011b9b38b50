//! Command `slurm`: prints a script that runs an experiment as a Slurm array job and merges its
//! shards.

use faultlab::experiment::Sweep;

use crate::arguments::SlurmArgs;
use crate::input;
use crate::output::{CliError, print};

/// Runs `faultlab slurm`.
pub(crate) fn slurm(arguments: &SlurmArgs) -> Result<(), CliError> {
    let experiment = input::feasible_experiment(&arguments.given)?;
    let most = Sweep::new(&experiment).max_shards();
    if u64::from(arguments.tasks) > most {
        let shards = if most == 1 { "shard" } else { "shards" };
        return Err(CliError::BadInput(format!(
            "--tasks {}: {experiment} can be divided into at most {most} {shards} (a point is split only if its trials are \
             fixed, by within=none and trials=N); accepted: 1 to {most}",
            arguments.tasks
        )));
    }
    let program = std::env::current_exe().ok().and_then(|path| path.to_str().map(str::to_owned));
    let values = [
        ("TEXT", experiment.to_string()),
        ("TASKS", arguments.tasks.to_string()),
        ("TIME", arguments.time.clone()),
        ("CPUS", arguments.threads.to_string()),
        ("FOLDER", arguments.folder.clone()),
        ("PROGRAM", program.unwrap_or_else(|| "faultlab".into())),
    ];
    let script = values.iter().fold(SCRIPT.to_owned(), |script, (name, value)| {
        script.replace(&format!("%{name}%"), &quote_shell_word(value))
    });
    print(&script)
}

/// Quotes `text` as one word of a shell.
fn quote_shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Template of the job script. Slurm signals a shard one minute before the time limit; the shard
/// stores its results and is requeued.
const SCRIPT: &str = r#"#!/bin/bash
# Runs one experiment of Faultlab on many machines. Submit it with: bash THIS-FILE
# Every task of the array runs a shard of the points into a journal. A task near its time limit, or one that receives a stop signal,
# stores its results and is requeued. When all are finished, one more job merges the journals: result.csv and result.json are
# byte-identical to the output of one machine. If the script is submitted again, it resumes the run.
set -euo pipefail
export FAULTLAB_TEXT=%TEXT% FAULTLAB_TASKS=%TASKS% FAULTLAB_FOLDER=%FOLDER% FAULTLAB_CPUS=%CPUS%
export FAULTLAB=${FAULTLAB:-%PROGRAM%}
mkdir -p "$FAULTLAB_FOLDER"
FAULTLAB_FOLDER=$(cd "$FAULTLAB_FOLDER" && pwd)

array=$(sbatch --parsable --job-name=faultlab --array="1-$FAULTLAB_TASKS" --time=%TIME% --cpus-per-task="$FAULTLAB_CPUS" \
  --signal=B:TERM@60 --requeue --open-mode=append --output="$FAULTLAB_FOLDER/shard-%a.log" <<'SHARD'
#!/bin/bash
share=$SLURM_ARRAY_TASK_ID
stopped=
trap 'stopped=1; kill -TERM "$running" 2>/dev/null' TERM
"$FAULTLAB" run "$FAULTLAB_TEXT" --shard "$share/$FAULTLAB_TASKS" --journal "$FAULTLAB_FOLDER/shard-$share.journal" \
  --threads "$FAULTLAB_CPUS" &
running=$!
wait "$running"; status=$?
if [ -n "$stopped" ]; then
  # The first wait ends with the signal, this one with the program.
  wait "$running"; status=$?
fi
if [ "$status" -eq 130 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$share" && sleep 120
fi
exit "$status"
SHARD
)

merge=$(sbatch --parsable --job-name=faultlab-merge --dependency="afterok:$array" --time=%TIME% \
  --output="$FAULTLAB_FOLDER/merge.log" <<'MERGE'
#!/bin/bash
set -euo pipefail
cd "$FAULTLAB_FOLDER"
for format in csv json; do
  # Through standard input, because there may be more journals than fit on a command line.
  find . -name 'shard-*.journal' | sort | "$FAULTLAB" merge - "--$format" > "result.$format.part"
  mv "result.$format.part" "result.$format"
done
MERGE
)

echo "array $array: $FAULTLAB_TASKS tasks; merge $merge: $FAULTLAB_FOLDER/result.csv and result.json"
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_makes_any_text_one_shell_word() {
        for text in ["", "a b", "it's", "'", "$(rm -rf /)", "a&b;c|d"] {
            let script = format!("printf %s {}", quote_shell_word(text));
            let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }
}
