"""Program of a user: type checkers read it, and nothing runs it."""

import faultlab as fl

experiment = fl.Experiment(net="cube:4", route=["sidetracking", "random"], vary={"p": [0.1, 0.2]})
result: fl.Result = experiment.run(progress=lambda progress: print(progress.share), threads=2, shard=(1, 2))
mean: float | None = result.columns()["mean"][0]
report: fl.Report = experiment.check()
loads: list[float | None] = result.channels()["utilization"]
text: str = fl.Experiment("net=cube:4", rules=None).to_svg(view="watch", size=(640, 420))
figure = experiment.figure(view="watch", lock="faults", height=320)
figure.change(route="sidetracking")
html: str = figure.to_html()

fl.Experiment(7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
experiment.to_svg(view="papers")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
experiment.run(thread=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
