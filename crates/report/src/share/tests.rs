use super::*;
use faultlab_experiment::presets::presets;
use faultlab_experiment::{KINDS, Version};

const PAGE: &str = "https://example.org/~ann/lab_1/";

fn texts(experiment: &Experiment, ui: &FigureOptions) -> Vec<String> {
    let shared = ShareSource { experiment, ui, page: PAGE, size: (640, 420) };
    SHARE_FORMATS.iter().map(|form| (form.write)(&shared)).collect()
}

#[test]
fn every_format_is_written_as_expected() {
    let experiment = "net=cube:4&faults=nodes:0.2&break=3&view=check".parse().unwrap_or_default();
    let (ui, _) = FigureOptions::from_text(
        "ui.lock=all&ui.controls=none&ui.caption=100%25%20of%20%22A_1%22%20%26%20%3CB%3E%20%5B2%5D",
    );
    let written = texts(&experiment, &ui);
    let expected = [
        "https://example.org/~ann/lab_1/#v=1&net=cube:4&faults=nodes:0.2&break=3&view=check",
        "<script type=\"module\" src=\"https://example.org/~ann/lab_1/faultlab.js\"></script>\n\
         <fault-lab experiment=\"v=1&amp;net=cube:4&amp;faults=nodes:0.2&amp;break=3&amp;view=check\" controls=\"none\" lock=\"all\" \
         caption=\"100% of &quot;A_1&quot; &amp; &lt;B&gt; [2]\" style=\"width: 640px; max-width: 100%; height: 420px\">\
         <a href=\"https://example.org/~ann/lab_1/#v=1&amp;net=cube:4&amp;faults=nodes:0.2&amp;break=3&amp;view=check\">\
         100% of &quot;A_1&quot; &amp; &lt;B&gt; [2]</a></fault-lab>",
        "<script type=\"module\" src=\"https://example.org/~ann/lab_1/faultlab.js\"></script>\n\
         <fault-lab experiment=\"v=1&amp;net=cube:4&amp;faults=nodes:0.2&amp;break=3&amp;view=check\" controls=\"none\" lock=\"all\" \
         caption=\"100% of &quot;A_1&quot; &amp; &lt;B&gt; [2]\" style=\"width: 640px; max-width: 100%; height: 420px\">\
         <img slot=\"still\" src=\"still.svg\" alt=\"100% of &quot;A_1&quot; &amp; &lt;B&gt; [2]\" loading=\"lazy\">\
         <a href=\"https://example.org/~ann/lab_1/#v=1&amp;net=cube:4&amp;faults=nodes:0.2&amp;break=3&amp;view=check\">\
         100% of &quot;A_1&quot; &amp; &lt;B&gt; [2]</a></fault-lab>",
        "<iframe src=\"https://example.org/~ann/lab_1/#v=1&amp;net=cube:4&amp;faults=nodes:0.2&amp;break=3&amp;view=check\
         &amp;ui=figure&amp;ui.controls=none&amp;ui.lock=all&amp;ui.caption=100%25%20of%20%22A%5F1%22%20%26%20%3CB%3E%20%5B2%5D\" \
         title=\"100% of &quot;A_1&quot; &amp; &lt;B&gt; [2]\" width=\"640\" height=\"420\" style=\"border: 0; max-width: 100%\" \
         loading=\"lazy\" allow=\"clipboard-write\" \
         sandbox=\"allow-scripts allow-same-origin allow-popups allow-downloads\"></iframe>",
        "[100% of \"A\\_1\" & \\<B> \\[2\\]]\
         (https://example.org/%7Eann/lab_1/#v=1&net=cube:4&faults=nodes:0.2&break=3&view=check)",
        "\\href{https://example.org/\\%7Eann/lab\\_1/\\#v=1\\&net=cube:4\\&faults=nodes:0.2\\&break=3\\&view=check}\
         {100\\% of \"A\\_1\" \\& <B> [2]}",
        "faultlab check 'v=1&net=cube:4&faults=nodes:0.2&break=3&view=check'",
    ];
    assert_eq!(written, expected);
}

#[test]
fn default_caption_names_the_network_or_chart() {
    let titled = |text: &str| {
        let experiment = text.parse().unwrap_or_default();
        texts(&experiment, &FigureOptions::default())[4].clone()
    };
    assert!(titled("v=1&net=mesh:6x6&switch=wormhole").starts_with("[6x6 mesh, worms]("));
    let measured = titled("v=1&faults=nodes:0.1&vary=p:0.1,0.2&view=measure");
    assert!(measured.contains(" against ") && measured.contains("]("), "{measured}");
}

#[test]
fn command_matches_the_view() {
    let command = |text: &str| texts(&text.parse().unwrap_or_default(), &FigureOptions::default())[6].clone();
    assert_eq!(command("v=1&net=cube:4"), "faultlab route 'v=1&net=cube:4'");
    assert_eq!(command("v=1&net=cube:4&switch=circuit"), "faultlab run 'v=1&net=cube:4&switch=circuit'");
    assert_eq!(command("v=1&net=cube:4&view=measure"), "faultlab run 'v=1&net=cube:4&view=measure'");
    assert_eq!(shell("it's"), "'it'\\''s'");
}

/// Unescapes an HTML attribute.
fn from_html(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Unescapes an address as hyperref does.
fn from_latex(text: &str) -> String {
    ["%", "#", "&", "_", "{", "}", "$"]
        .iter()
        .fold(text.to_owned(), |text, letter| text.replace(&format!("\\{letter}"), letter))
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let rest = text.split_once(before).map_or("", |(_, rest)| rest);
    rest.split_once(after).map_or("", |(between, _)| between)
}

/// Returns the address or the experiment's text from each format, decoded like the program that
/// reads the format.
fn read_back(written: &[String]) -> [String; 8] {
    [
        written[0].clone(),
        from_html(between(&written[1], "experiment=\"", "\"")),
        from_html(between(&written[1], "href=\"", "\"")),
        from_html(between(&written[2], "experiment=\"", "\"")),
        from_html(between(&written[3], "src=\"", "\"")),
        between(&written[4], "](", ")").to_owned(),
        from_latex(between(&written[5], "\\href{", "}{")),
        between(&written[6], "'", "'").to_owned(),
    ]
}

#[test]
fn presets_round_trip_through_every_format() {
    let (ui, wrong) =
        FigureOptions::from_text("ui.show=network,reasons&ui.lock=faults&ui.caption=50%25%20%22%29%5D%7D%27");
    assert!(wrong.is_empty());
    let kinds = KINDS.into_iter().map(|kind| kind.behavior.default_experiment(Version::LATEST, None));
    let given = presets().iter().filter_map(|preset| preset.experiment.parse::<Experiment>().ok());
    for experiment in given.chain(kinds) {
        let written = texts(&experiment, &ui);
        for text in read_back(&written) {
            assert_eq!(text.parse::<Experiment>().as_ref(), Ok(&experiment), "{text}");
        }
        let (framed, wrong) = FigureOptions::from_text(&read_back(&written)[4]);
        assert_eq!((framed, wrong), (FigureOptions { is_figure: true, ..ui.clone() }, Vec::new()));
    }
}

#[test]
fn special_characters_in_addresses_are_escaped() {
    let link = "https://example.org/a (1)/{b}#v=1&net=cube:4";
    assert_eq!(percent(link), "https://example.org/a%20%281%29/%7Bb%7D#v=1&net=cube:4");
    assert_eq!(latex("a~b^c\\{d}$"), "a\\textasciitilde{}b\\textasciicircum{}c\\textbackslash{}\\{d\\}\\$");
}

#[test]
fn single_file_page_embeds_the_experiment() {
    let page = "<head><meta name=\"faultlab-experiment\" content=\"\"></head>";
    let told = with_experiment(page, "v=1&ui.caption=\"");
    let expected = "<head><meta name=\"faultlab-experiment\" content=\"v=1&amp;ui.caption=&quot;\"></head>";
    assert_eq!(told.as_deref(), Some(expected));
    assert_eq!(with_experiment("<head></head>", "v=1"), None);
    for page in ["https://a.org/lab/", "https://a.org/lab/index.html", "https://a.org/lab/index.html?x=/y"] {
        assert_eq!(sibling_url(page, "faultlab.js"), "https://a.org/lab/faultlab.js");
    }
}
