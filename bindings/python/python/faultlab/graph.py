"""Conversion of networks to NetworkX."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx

    from . import _faultlab

__all__ = ["network_graph"]


def network_graph(core: _faultlab.Experiment) -> networkx.DiGraph[str]:
    """Returns the graph of `Experiment.to_networkx`."""
    import networkx

    nodes, channels = core.graph()
    graph: networkx.DiGraph[str] = networkx.DiGraph(experiment=core.text)
    for name, coordinates, faulty, disabled in nodes:
        graph.add_node(name, coordinates=tuple(coordinates), faulty=faulty, disabled=disabled)
    for start, end, wires, live_wires, direction in channels:
        graph.add_edge(
            nodes[start][0],
            nodes[end][0],
            wires=wires,
            live_wires=live_wires,
            faulty=live_wires == 0,
            direction=direction,
        )
    return graph
