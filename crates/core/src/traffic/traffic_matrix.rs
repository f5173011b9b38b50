//! Traffic matrices: the weights of the destinations of every source.

use std::fmt;

use super::pattern::uniform_half_open;
use crate::ParseError;
use crate::random::Generator;
use crate::topology::NodeId;

/// Weights of the destinations of every source. A node whose weights are all 0 generates no
/// messages.
#[derive(Clone, Debug, PartialEq)]
pub struct TrafficMatrix {
    /// Number of nodes.
    nodes: usize,
    /// Weights by source, then by destination: finite, not negative, 0 on the diagonal.
    weights: Vec<f64>,
}

impl TrafficMatrix {
    /// Maximum number of nodes.
    pub const MAX_NODES: usize = 64;

    /// Largest weight.
    const MAX_WEIGHT: f64 = 1e9;

    /// Prefix of the texts of traffic.
    const PREFIX: &'static str = "matrix:";

    /// Parses a text such as `matrix:0,1,1/2,0,0/0,1,0`: a row for each source. Returns `None` if
    /// the text does not begin with `matrix:`.
    ///
    /// # Errors
    /// If a weight is no number from 0 to 10^9, or on the diagonal and not 0; if the matrix is not
    /// square, has more than [`TrafficMatrix::MAX_NODES`] rows, or has no weight above 0.
    pub fn parse(text: &str) -> Option<Result<Self, ParseError>> {
        text.strip_prefix(Self::PREFIX).map(Self::read)
    }

    fn read(text: &str) -> Result<Self, ParseError> {
        let nodes = text.split('/').count();
        if nodes > Self::MAX_NODES {
            return Err(format!("a matrix has at most {} rows, not {nodes}", Self::MAX_NODES).into());
        }
        let mut weights = Vec::with_capacity(nodes * nodes);
        for (row, line) in text.split('/').enumerate() {
            let columns = line.split(',').count();
            if columns != nodes {
                return Err(format!("row {row} has {columns} weights, but the matrix has {nodes} rows").into());
            }
            for (column, text) in line.split(',').enumerate() {
                let weight = text.trim().parse().ok().filter(|weight| (0.0..=Self::MAX_WEIGHT).contains(weight));
                let weight: f64 = weight.ok_or_else(|| {
                    format!("the weight \"{text}\" in row {row} is not a number from 0 to 1000000000")
                })?;
                if row == column && weight != 0.0 {
                    return Err(format!("the weight of node {row} to itself is {weight}, but must be 0").into());
                }
                weights.push(weight);
            }
        }
        if weights.iter().all(|&weight| weight == 0.0) {
            return Err("no weight is above 0, so that no node would send".into());
        }
        Ok(Self { nodes, weights })
    }

    /// Parses the matrix of a CSV file: a line for each source, with weights separated by commas,
    /// semicolons, tabs or blanks. Lines that are empty or begin with `#` are left out.
    ///
    /// # Errors
    /// As [`TrafficMatrix::parse`].
    pub fn from_csv(csv: &str) -> Result<Self, ParseError> {
        let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let row = |line: &str| {
            let weights = line.split([',', ';', '\t', ' ']).filter(|weight| !weight.is_empty());
            weights.collect::<Vec<_>>().join(",")
        };
        Self::read(&csv.lines().map(str::trim).filter(is_row).map(row).collect::<Vec<_>>().join("/"))
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the weights of the destinations of `source`; empty for other nodes.
    pub fn row(&self, source: NodeId) -> &[f64] {
        let start = usize::try_from(source.0).unwrap_or(usize::MAX).saturating_mul(self.nodes);
        self.weights.get(start..start.saturating_add(self.nodes)).unwrap_or_default()
    }

    /// Returns whether `source` has a destination.
    pub fn has_destination(&self, source: NodeId) -> bool {
        self.row(source).iter().any(|&weight| weight > 0.0)
    }

    /// Returns the probability that a message of `source` goes to `to`.
    pub fn probability(&self, source: NodeId, to: NodeId) -> f64 {
        let sum: f64 = self.row(source).iter().sum();
        let weight = usize::try_from(to.0).ok().and_then(|to| self.row(source).get(to)).copied().unwrap_or(0.0);
        if sum > 0.0 { weight / sum } else { 0.0 }
    }

    /// Draws the destination of a message of `source`; `None` if it has none.
    pub(super) fn draw(&self, source: NodeId, generator: &mut Generator) -> Option<NodeId> {
        let row = self.row(source);
        let mut rest = uniform_half_open(generator) * row.iter().sum::<f64>();
        let possible = || (0..).map(NodeId).zip(row).filter(|(_, weight)| **weight > 0.0);
        let drawn = possible().find(|(_, weight)| {
            rest -= **weight;
            rest < 0.0
        });
        // Rounding may leave a rest of 0 after the last weight.
        drawn.or_else(|| possible().last()).map(|(node, _)| node)
    }
}

impl fmt::Display for TrafficMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::PREFIX)?;
        for (number, weight) in self.weights.iter().enumerate() {
            let before = match number {
                0 => "",
                _ if number.is_multiple_of(self.nodes) => "/",
                _ => ",",
            };
            write!(f, "{before}{weight}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;
    use crate::topology::Mesh;
    use crate::traffic::Pattern;

    fn matrix(text: &str) -> TrafficMatrix {
        TrafficMatrix::parse(text).unwrap().unwrap()
    }

    #[test]
    fn destinations_have_the_shares_of_their_weights() {
        let text = "matrix:0,1,2,5/1,0,0,0/0,0,0,0/0.25,0.5,0.25,0";
        let matrix = matrix(text);
        assert_eq!(matrix.to_string(), text);
        let generator = &mut Key::from_seed(1).generator();
        for source in [0, 1, 3].map(NodeId) {
            let mut counts = [0u32; 4];
            for _ in 0..40_000 {
                counts[matrix.draw(source, generator).unwrap().0 as usize] += 1;
            }
            for (to, count) in (0..).map(NodeId).zip(counts) {
                let share = matrix.row(source)[to.0 as usize] / matrix.row(source).iter().sum::<f64>();
                assert_eq!(matrix.probability(source, to), share);
                let error = (share * (1.0 - share) / 40_000.0).sqrt();
                assert!((f64::from(count) / 40_000.0 - share).abs() <= 4.0 * error, "{source} {to}: {count}");
            }
        }
        assert_eq!((matrix.has_destination(NodeId(2)), matrix.draw(NodeId(2), generator)), (false, None));
        assert_eq!(matrix.row(NodeId(4)), [0.0; 0]);
    }

    #[test]
    fn a_matrix_fits_the_network_of_its_nodes_only() {
        let pattern = Pattern::parse("matrix:0,1,0,0/0,0,1,0/1,0,0,1/0,0,0,0").unwrap().unwrap();
        let fits = |radices: [u16; 2]| pattern.is_defined_on(Mesh::from_radices(&radices).unwrap());
        assert!(fits([2, 2]) && fits([4, 1]) && !fits([2, 3]) && !fits([3, 1]));
        assert_eq!(pattern.map_nodes(&Some), Some(pattern.clone()));
        assert_eq!(pattern.map_nodes(&|node| Some(NodeId(3 - node.0))), None);
    }

    #[test]
    fn files_have_a_line_for_each_source() {
        let csv = "# from 0, 1, 2\r\n0,1,2\r\n\n3; 0; 4\n5\t6\t0\n";
        assert_eq!(TrafficMatrix::from_csv(csv).unwrap().to_string(), "matrix:0,1,2/3,0,4/5,6,0");
    }

    #[test]
    fn errors_name_the_defect() {
        for (text, says) in [
            ("matrix:0,1/1", "row 1 has 1 weights, but the matrix has 2 rows"),
            ("matrix:0,x/1,0", "\"x\" in row 0 is not a number"),
            ("matrix:0,-1/1,0", "\"-1\" in row 0 is not a number"),
            ("matrix:0,1/1,2", "the weight of node 1 to itself is 2"),
            ("matrix:0,0/0,0", "no node would send"),
            ("matrix:", "is not a number"),
        ] {
            let error = TrafficMatrix::parse(text).unwrap().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        assert!(TrafficMatrix::parse(&format!("matrix:{}", ["0"; 65].join("/"))).unwrap().is_err());
        assert_eq!(TrafficMatrix::parse("uniform"), None);
    }
}
