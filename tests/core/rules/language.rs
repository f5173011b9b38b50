//! Tests of the rule language: each error states the position, the text found, and what is
//! accepted.

use faultlab::fault::BlockFaults;
use faultlab::routing::rules::{EXAMPLES, EXERCISES, RuleText};

use super::{first_routing, parse, worm_routing};
use crate::common::mesh;

/// Returns the error message of a text.
fn wrong(text: &str) -> String {
    RuleText::parse(text).expect_err(text).to_string()
}

#[test]
fn errors_name_place_and_remedy() {
    let head = "routing my-a on mesh 2\n";
    let said = |rules: &str| wrong(&[head, rules].concat());
    assert_eq!(
        said("when Wset is minimal take West"),
        "line 2, column 6: Wset is not a set of ports (did you mean West?); accepted here: minimal, all, live, faulty, back, ahead, positive, \
         negative, wrapping, disabled, ringed, single, West, East, North, South"
    );
    assert_eq!(
        said("always tkae minimal"),
        "line 2, column 8: tkae is not accepted (did you mean take?); accepted here: take"
    );
    assert_eq!(
        said("always take minimal on class 1"),
        "line 2, column 1: there is no class 1: the number of classes is 1, counted from 0; accepted here: a class below 1, or classes 2 before the \
         rules"
    );
    assert_eq!(
        said("states A B\nin C always take minimal"),
        "line 3, column 4: C is not a state (did you mean A?); accepted here: A, B"
    );
    assert_eq!(
        said("always take wrong"),
        "line 2, column 13: wrong is not defined on mesh 2, only on cube; accepted here: minimal, all, live, faulty, back, ahead, positive, \
         negative, wrapping, disabled, ringed, single, West, East, North, South"
    );
    assert_eq!(
        said("always take minimal \"no end\nalways take minimal"),
        "line 2, column 21: the sentence does not end; accepted here: a closing quotation mark on the same line"
    );
    assert_eq!(
        said("when some minimal is live take (East"),
        "line 2, column 37: the text ends too early; accepted here: ), and, or"
    );
    assert_eq!(
        wrong("routing west-first on mesh 2 always take minimal"),
        "line 1, column 9: west-first is the name of a built-in algorithm; accepted here: another name, such as my-west-first"
    );
    assert_eq!(wrong(""), "line 1, column 1: the text ends too early; accepted here: routing");
    assert_eq!(
        said("always take minimal %"),
        "line 2, column 21: % is not accepted; accepted here: words, numbers, a sentence in quotation marks, ( ) , = and # before a comment"
    );
}

/// Columns count characters, not bytes.
#[test]
fn columns_count_letters() {
    let error = RuleText::parse("routing my-a on mesh 2\n  always take minimal \"é\" nonsense").expect_err("nonsense");
    assert_eq!((error.line, error.column), (2, 27));
}

#[test]
fn rejects_texts_beyond_limits() {
    let many = |count: usize, line: &str| [line].repeat(count).join("\n");
    let head = "routing my-a on mesh 2\n";
    let contains = |text: &str, part: &str| assert!(wrong(text).contains(part), "{}", wrong(text));
    contains(&"#".repeat(9000), "at most 8192 bytes");
    contains(&[head, &many(65, "always take minimal")].concat(), "more than 64 rules");
    let routings = (0..9).map(|number| format!("routing my-{number} on mesh always take minimal"));
    contains(&routings.collect::<Vec<_>>().join("\n"), "more than 8 routings");
    let states = (0..17).map(|number| format!("s{number}")).collect::<Vec<_>>().join(" ");
    contains(&[head, "states ", &states, " always take minimal"].concat(), "more than 16 states");
    contains(&[head, "classes 17 always take minimal"].concat(), "17 is too large");
    contains(&[head, "always take ", &"(".repeat(40), "East", &")".repeat(40)].concat(), "nested too deep");
    contains(&[head, "always take ", &"not ".repeat(40), "East"].concat(), "nested too deep");
    contains(&[head, "always take East before West before North before South before all"].concat(), "more than 4 sets");
    // A definition can use earlier definitions only, so none is recursive, and its expanded size is
    // limited.
    contains(&[head, "define a = b define b = East always take a"].concat(), "b is not a set of ports");
    contains(&[head, "define a = a always take a"].concat(), "a is not a set of ports");
    let grown = (1..30).map(|number| format!("define a{number} = (a{0} or a{0})", number - 1));
    let grown = [head, "define a0 = East ", &grown.collect::<Vec<_>>().join(" "), " always take a29"].concat();
    contains(&grown, "too long");
    contains("routing my-a on cube states A B C D always take back", "uses `back` on cube and has more than 3 states");
    contains("routing my-a on mesh 2 always take 2+", "mesh 2 has no 2+");
    contains("routing my-a on mesh always take East", "East is not defined on mesh, only on mesh 2 and torus 2");
    contains("routing my_a on mesh always take all", "my_a is not a valid name for a routing");
    contains("routing my-a on mesh define up = all always take up", "up already has a meaning");
    // A name of another type is not accepted as a set.
    contains(&[head, "define a = East always take b"].concat(), "b is not a set of ports");
    contains(&[head, "define a when East is live always take a"].concat(), "a is not a set of ports");
    contains("routing my-a on cube always take 0+", "0+ is not defined on cube, only on mesh and torus");
    contains("routing my-a on mesh always take dimension 1", "dimension 1 is not defined on mesh, only on cube");
    contains("routing my-a on cube when some wrong is 1 away take wrong", "1 away is not defined on cube");
    contains(&[head, "classes 16 always take minimal on class 16"].concat(), "16 is too large");
}

#[test]
fn rules_that_never_fire_are_noted() {
    let text = "routing my-a on mesh 2\nstates A B\nin A always take minimal\nin A when East is live take East\nin B always take West\n\
                when East is live take East";
    let lines: Vec<_> = parse(text).warnings().iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [4, 6]);
    // A rule never fires if earlier rules cover all its states, in any order and with repetitions.
    let text = "routing my-a on cube\nstates A B C\nin C always take wrong\nin C or A or A always take wrong\nin A when some up is live take up\n\
                in B when some up is live take up\nin B or C always take wrong\nin A or B always take wrong\notherwise take wrong";
    let lines: Vec<_> = parse(text).warnings().iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [5, 8, 9]);
    for example in EXAMPLES {
        assert_eq!(parse(example.text).warnings(), [], "{}", example.name);
    }
    for exercise in EXERCISES {
        assert_eq!((parse(exercise.flawed).warnings(), parse(exercise.corrected).warnings()), (&[][..], &[][..]));
    }
}

#[test]
fn text_keeps_comments_and_layout() {
    let text = "# a comment\r\nrouting my-a on mesh 2   \r\n\r\n  always take minimal # why not\r\n";
    let read = parse(text);
    assert_eq!(read.text(), "# a comment\nrouting my-a on mesh 2\n\n  always take minimal # why not");
    assert_eq!(parse(read.text()), read);
    assert!(parse("routing my-a on mesh 2 always take minimal") != read);
}

/// A text in canonical form is printed unchanged, without empty lines.
#[test]
fn canonical_form_prints_unchanged() {
    for text in [
        "routing my-a on mesh 2\nalways take minimal\n",
        "routing my-a on mesh, torus\nclasses 2\nescape 0\nstates A B\ndefine there = 0+ and minimal\nstart B when coordinate 1 is odd\n\
         in B when some there is live take there on class 1 then A \"why\"\notherwise take minimal before not back\n",
        "routing my-a on cube\nwhen every wrong is up take lowest wrong also take wrong\notherwise take nothing\n",
    ] {
        assert_eq!(parse(text).trees()[0].to_string(), text);
    }
}

/// A text may be long if it is not nested deeply. Expanding definitions is limited, so it ends.
#[test]
fn accepts_long_texts_and_rejects_expanded_ones() {
    let long = |by: &str, what: &str| vec![what; 60].join(by);
    assert!(RuleText::parse(&format!("routing my-a on mesh 2 always take {}", long(" or ", "minimal"))).is_ok());
    let conditions = long(" and ", "East is live");
    assert!(RuleText::parse(&format!("routing my-a on mesh 2 when {conditions} take East")).is_ok());
    let grown = |first: &str, says: &str, last: &str| {
        let names = (1..60).map(|number| format!("define a{number} {says} a{0} and a{0}", number - 1));
        let names = names.collect::<Vec<_>>().join("\n");
        wrong(&format!("routing my-a on mesh 2\ndefine a0 {says} {first}\n{names}\n{last}"))
    };
    for error in [
        grown("lowest lowest minimal", "=", "always take a59"),
        grown("some minimal is live", "when", "when a59 take minimal"),
    ] {
        assert!(error.contains("the routing is too long with its definitions expanded"), "{error}");
    }
}

/// Values at a limit are accepted; values just beyond it are rejected.
#[test]
fn limits_are_exact() {
    let accepted = |text: &str| RuleText::parse(text).is_ok();
    let padded = |bytes: usize| {
        let text = "routing my-a on mesh always take minimal #".to_owned();
        [text.as_str(), &"-".repeat(bytes - text.len())].concat()
    };
    assert!(accepted(&padded(8192)) && !accepted(&padded(8193)));
    let classes =
        |count: u8, class: u8| format!("routing my-a on mesh classes {count} always take minimal on class {class}");
    assert!(
        accepted(&classes(16, 15))
            && !accepted(&classes(16, 16))
            && !accepted(&classes(17, 0))
            && !accepted(&classes(15, 15))
    );
    let escape = |class: u8| format!("routing my-a on mesh classes 16 escape 0 {class} always take minimal");
    assert!(accepted(&escape(15)) && !accepted(&escape(16)));
    assert!(!accepted("routing my-a on mesh classes 16 escape 16 always take minimal"));
    let on = |networks: &str| format!("routing my-a on {networks} always take minimal");
    assert!(accepted(&on("mesh 5")) && !accepted(&on("mesh 6")) && !accepted(&on("cube 3")));
    let away = |hops: u8| format!("routing my-a on mesh 2 when East is {hops} away take East");
    assert!((1..=3).all(|hops| accepted(&away(hops))) && !accepted(&away(4)));
    assert!(wrong(&away(0)).contains("0 is too small"));
    let named =
        |letters: usize| ["routing my-a on mesh define ", &"a".repeat(letters), " = minimal always take all"].concat();
    assert!(accepted(&named(32)) && !accepted(&named(33)));
    let circuits = |states: &str| {
        first_routing(&format!("routing my-a on cube states {states} always take wrong")).circuits().is_some()
    };
    assert!(circuits("A B C D") && !circuits("A B C D E"));
}

/// Suggestions are at edit distance one, or two for longer words. A transposition counts as one
/// edit.
#[test]
fn suggestions_are_within_edit_distance() {
    let meant = |word: &str| {
        let said = wrong(&format!("routing my-a on mesh 2 always take {word}"));
        let (before, _) = said.split_once("; accepted here: ").expect("what is accepted");
        before
            .split_once("is not a set of ports (did you mean ")
            .map(|(_, meant)| meant.trim_end_matches("?)").to_owned())
    };
    let near = [
        ("Wst", "West"),
        ("Wset", "West"),
        ("Westt", "West"),
        ("eAst", "East"),
        ("mnmal", "minimal"),
        ("miinmla", "minimal"),
        ("minimalxy", "minimal"),
    ];
    for (word, expected) in near {
        assert_eq!(meant(word).as_deref(), Some(expected), "{word}");
    }
    for word in ["Waat", "Wt", "Wesabt", "mnml", "mxnxmxl", "minimalxyz", "x", "Wsett"] {
        assert_eq!(meant(word), None, "{word}");
    }
    assert!(wrong("routing my-a on mesh in A always take all").contains("a line such as: states first second"));
}

/// `escape` lists the escape classes; without the line all classes are escape classes. Printing
/// preserves this.
#[test]
fn escape_classes_are_those_that_are_named() {
    for (named, escapes) in
        [("escape 0\n", [true, false, false]), ("escape 1 2\n", [false, true, true]), ("", [true; 3])]
    {
        let text = parse(&format!("routing my-a on mesh\nclasses 3\n{named}always take minimal"));
        let worm = worm_routing(&text.routings()[0]);
        assert_eq!([0, 1, 2].map(|class| worm.is_escape(mesh(4, 4), class)), escapes, "{named}");
        assert_eq!(parse(&text.trees()[0].to_string()).trees(), text.trees(), "{named}");
        assert_eq!(worm.user_routing().map(|own| own.name()), Some("my-a"));
        // User-defined routing is never proved, not even without faults.
        assert!(!worm.is_proved(&BlockFaults::new(mesh(4, 4), &[], &[])));
    }
}
