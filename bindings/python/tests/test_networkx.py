"""Networks as graphs of NetworkX."""

import networkx
import pytest

import faultlab as fl

from conftest import KINDS


def test_graphs_are_those_of_networkx() -> None:
    cube = fl.Experiment("net=cube:4").to_networkx()
    assert networkx.is_isomorphic(cube.to_undirected(), networkx.hypercube_graph(4))
    torus = fl.Experiment("net=torus:4x5").to_networkx().to_undirected()
    assert networkx.is_isomorphic(torus, networkx.grid_graph([5, 4], periodic=True))
    tree = fl.Experiment("net=tree:16").to_networkx().to_undirected()
    assert networkx.is_isomorphic(tree, networkx.balanced_tree(2, 4))


def test_faults_are_attributes() -> None:
    graph = fl.Experiment("net=mesh:6x6&faults=none&break=2.2,3.3,0.0-0.1").to_networkx()
    assert [node for node, faulty in graph.nodes(data="faulty") if faulty] == ["2.2", "3.3"]
    assert [node for node, disabled in graph.nodes(data="disabled") if disabled] == ["2.3", "3.2"]
    assert graph.nodes["2.3"]["coordinates"] == (2, 3)
    assert graph.edges["0.0", "0.1"]["faulty"] and graph.edges["0.1", "0.0"]["faulty"]
    live = networkx.subgraph_view(graph, filter_edge=lambda a, b: not graph.edges[a, b]["faulty"])
    assert networkx.shortest_path_length(live, "0.0", "0.1") == 3


def test_faults_are_those_of_the_watched_trial() -> None:
    text = "net=cube:6&faults=nodes:0.3"
    by_sample = [fl.Experiment(text, sample=sample).to_networkx() for sample in range(3)]
    faulty = [frozenset(node for node, is_faulty in graph.nodes(data="faulty") if is_faulty) for graph in by_sample]
    assert len(set(faulty)) == 3
    # The first and the last node are the ends of the message and never fail.
    assert all("0" not in nodes and "63" not in nodes for nodes in faulty)


def test_channel_loads_are_attributes() -> None:
    result = fl.Experiment(KINDS["worm"]).run()
    graph = result.to_networkx(series="lh2")
    channels = result.channels()
    measured = [row for row, series in enumerate(channels["series"]) if series == "lh2"]
    assert len(measured) == sum(not faulty for *_, faulty in graph.edges(data="faulty"))
    for row in measured:
        edge = graph.edges[channels["from"][row], channels["to"][row]]
        assert edge["utilization"] == channels["utilization"][row]
        assert edge["direction"] == channels["direction"][row]
    with pytest.raises(fl.ExperimentError, match="no such point"):
        result.to_networkx(series="none")
    with pytest.raises(fl.ExperimentError, match="accepted: switch=wormhole"):
        fl.Experiment("net=cube:4&within=0.2").run().to_networkx()
