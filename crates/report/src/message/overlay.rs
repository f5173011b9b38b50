//! Closed forms of Gordon & Stout (equations (1), (2), (6), (7)) over the measurements of single
//! messages.

use super::check::prediction;
use crate::chart::figure::Curve;
use crate::chart::overlay::{Overlay, closed_form_xs, curve};
use crate::picture::scene::Role;
use faultlab_core::routing::{Algorithm, Knowledge};
use faultlab_experiment::{CubePointConfig, Sweep};

/// Overlays of single messages. For algorithms that take any minimal path and no other path, the
/// probability of arrival. For algorithms that may take other paths, the probability of arrival
/// without a detour.
pub(crate) static OVERLAYS: [Overlay; 2] = [
    Overlay::new("success", |sweep| curves(sweep, Algorithm::is_minimal)),
    Overlay::new("minimal", |sweep| curves(sweep, Algorithm::exhausts_minimal_paths)),
];

/// Returns the closed forms, by knowledge of the nodes, that `applies` to one of the algorithms,
/// along the sweep.
fn curves(sweep: &Sweep, applies: fn(&Algorithm) -> bool) -> Vec<Curve> {
    let experiment = sweep.experiment();
    if experiment.faults.has_overrides() {
        return Vec::new();
    }
    let forms = [(Knowledge::Nothing, "closed form, no info", 2), (Knowledge::Neighbors, "closed form, local", 0)];
    let known =
        |knowledge| experiment.routing.iter().any(|algorithm| applies(algorithm) && algorithm.knowledge() == knowledge);
    let of = |(knowledge, name, dash)| {
        let at = |x| Some((x, prediction(&CubePointConfig::new(experiment, Some(x))?, knowledge)?.0));
        curve(name, Role::Ink, dash, closed_form_xs(experiment).into_iter().filter_map(at).collect())
    };
    forms.into_iter().filter(|form| known(form.0)).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_charts::reference_values::closed_forms;

    fn names(text: &str, metric: &str) -> Vec<String> {
        let sweep = Sweep::new(&text.parse().unwrap());
        let curves = closed_forms(&sweep, sweep.experiment().kind().metric(metric).unwrap());
        curves.into_iter().map(|curve| curve.name).collect()
    }

    #[test]
    fn closed_forms_appear_only_for_matching_algorithms() {
        // E-cube has one path for each pair; the closed form assumes any minimal path.
        let ecube = "net=cube:6&faults=nodes:0.3&route=e-cube&plot=minimal&vary=p:0.1,0.3,0.5&within=0.02";
        let compared = |routes: &str| ecube.replace("e-cube", routes);
        let local = ["closed form, local"];
        for metric in ["success", "minimal"] {
            for routes in ["e-cube", "up,dp", "restricted-up,up-dp-mix", "global"] {
                assert_eq!(names(&compared(routes), metric), [""; 0], "{metric} of {routes}");
            }
            for routes in ["random", "deterministic", "e-cube,random"] {
                assert_eq!(names(&compared(routes), metric), local, "{metric} of {routes}");
            }
            assert_eq!(names(&compared("random-blind"), metric), ["closed form, no info"]);
        }
        // An algorithm that leaves minimal paths only where they are blocked arrives without a
        // detour as often as an algorithm that never leaves minimal paths.
        for routes in ["sidetracking", "backtracking", "minimal"] {
            assert_eq!(names(&compared(routes), "minimal"), local, "{routes}");
            assert_eq!(names(&compared(routes), "success"), [""; 0], "{routes}");
        }
        assert_eq!(names(&(compared("random") + "&break=3"), "success"), [""; 0]);
        assert_eq!(names("net=cube:6&faults=nodes:0.3&route=random", "success"), [""; 0]);
    }

    #[test]
    fn values_match_the_equations() {
        let sweep = Sweep::new(&"net=cube:5&faults=count:3&route=random&vary=f:1,3".parse().unwrap());
        let [found] = <[Curve; 1]>::try_from(curves(&sweep, Algorithm::is_minimal)).unwrap();
        let exact = [1, 3].map(|faults| (faults as f64, faultlab_core::theory::local_counted(30, 5, faults)));
        assert_eq!(found.points, exact);
        let sweep = Sweep::new(&"net=cube:6&faults=nodes:0.3&route=random&vary=p:0.1,0.3,0.5".parse().unwrap());
        let [found] = <[Curve; 1]>::try_from(curves(&sweep, Algorithm::exhausts_minimal_paths)).unwrap();
        assert_eq!(
            (found.points.len(), found.points[120]),
            (121, (0.5, faultlab_core::theory::local_bernoulli(6, 0.5)))
        );
        assert!((found.points[0].1 - 0.989).abs() < 0.001, "98.9 % at p = 0.1");
    }
}
