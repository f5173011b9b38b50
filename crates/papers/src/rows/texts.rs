// The rows of each paper, in the order of the papers. The crate and the build of the page include
// this expression.
[
    include_str!("gordon-stout.json"),
    include_str!("chiu-chalasani-raghavendra.json"),
    include_str!("boppana-chalasani.json"),
    include_str!("thesis.json"),
    include_str!("fat-trees.json"),
]
