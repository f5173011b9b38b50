//! Tests of meshes in Check, Measure and Papers: pictures of cycles, the map of a single faulty
//! node, recomputed examples.

use serde_json::json;

use crate::browser::Page;

#[tokio::test]
async fn a_cycle_is_drawn_beside_the_proof_that_there_is_none() {
    let text = "v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4,4.3,4.4&route=f-cube2-either,f-cube2&view=check";
    let page = Page::open(text).await;
    page.until_text(".cards .card:nth-child(3)", "1 fault ring").await;
    page.until_text(".cards .card:nth-child(1)", "does not cover these faults").await;
    page.until_text(".cards .card:nth-child(1)", "A shortest cycle has 12 channels").await;
    page.until_text(".cards .card:nth-child(2)", "makes every dependency point forward").await;
    let messages = page.run("return document.querySelectorAll('.cycle ol li').length").await;
    assert_eq!(messages, json!(12));
    page.until_text(".cycle ol", "holds (2,2) East c1 and may request (2,3) East c1").await;
    page.assert_no_log();
}

#[tokio::test]
async fn maps_loss_by_position_of_faulty_node() {
    let text = "v=2&net=mesh:4x4&switch=wormhole&vary=at:0..15:16&within=0.2&view=measure";
    let page = Page::open(text).await;
    page.until_text(".caption h2", "by the position of one more faulty node").await;
    page.until_text("#status", "32 points in").await;
    let names =
        page.run("return [...document.querySelectorAll('#numbers th[scope=row]')].map(cell => cell.textContent)").await;
    assert_eq!((&names[0], &names[15]), (&json!("(0,0)"), &json!("(3,3)")));
    let script = "const canvas = document.getElementById('chart'), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const colors = new Set(); for (let i = 0; i < data.length; i += 40) colors.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
        return colors.size > 8";
    page.wait_until("the maps are drawn", script).await;
    page.assert_no_log();
}

#[tokio::test]
async fn the_paper_on_meshes_is_recomputed() {
    let page = Page::open("v=2&switch=wormhole&view=papers").await;
    page.until_text("#boppana-examples", "Figure 9, (3, 0) to (3, 4)").await;
    page.until_text("#boppana-proofs", "f-cube2, rings that overlap").await;
    let script = "return [...document.querySelectorAll('#boppana-examples, #boppana-proofs')].every(item => !item.textContent.includes('not reproduced'))";
    page.wait_until("nothing fails", script).await;
    page.assert_no_log();
}

/// If there are more than four networks, Watch shows the chosen one in the last place. The order and the colours
/// never change.
#[tokio::test]
async fn fifth_network_is_shown_in_its_own_colour() {
    let text = "v=2&net=mesh:6x6&switch=wormhole&route=e-cube,west-first,north-last,negative-first,odd-even\
                &follow=5:auto";
    let page = Page::open(text).await;
    let shown = |names: &str, swatch: u8| {
        format!(
            "const panels = [...document.querySelectorAll('.panel')], canvas = panels[3]?.querySelector('canvas');
             return panels.map(panel => panel.querySelector('b').textContent).join() === '{names}'
                 && !!panels[3].querySelector('.swatch--{swatch}')
                 && new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 3"
        )
    };
    page.wait_until("the fifth is painted", &shown("e-cube,west-first,north-last,odd-even", 4)).await;
    page.click(".explanation .series button:nth-child(4)").await;
    page.wait_until("the fourth is painted", &shown("e-cube,west-first,north-last,negative-first", 3)).await;
    assert_eq!(page.link().await, text, "the order is the same");
    page.assert_no_log();
}
