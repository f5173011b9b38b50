//! Which functions run.

use walrus::ir::{MemArg, StoreKind, Value};
use walrus::{FunctionId, FunctionKind, Module};

use crate::names::Listed;

/// Bytes of a page of memory, as WebAssembly has it.
const PAGE: usize = 1 << 16;

/// The same program with one more memory, exported as `marks`: a byte for each of its own functions, 1 as soon as that runs.
pub(crate) fn of(mut whole: Module) -> Vec<u8> {
    let own = own(&whole);
    let pages = own.len().div_ceil(PAGE) as u64;
    let memory = whole.memories.add_local(false, false, pages, Some(pages), None);
    whole.exports.add("marks", memory);
    for (place, id) in own.into_iter().enumerate() {
        if let FunctionKind::Local(function) = &mut whole.funcs.get_mut(id).kind {
            let (kind, at) = (StoreKind::I32_8 { atomic: false }, MemArg { align: 1, offset: 0 });
            let mut body = function.builder_mut().func_body();
            body.const_at(0, Value::I32(place as i32)).const_at(1, Value::I32(1)).store_at(2, memory, kind, at);
        }
    }
    whole.emit_wasm()
}

/// The text of the list of those that are marked.
pub(crate) fn listed(whole: &Module, marks: &[u8]) -> String {
    let marked = own(whole).into_iter().zip(marks).filter(|(_, mark)| **mark != 0);
    Listed::of(marked.map(|(id, _)| whole.funcs.get(id))).text()
}

fn own(whole: &Module) -> Vec<FunctionId> {
    whole.funcs.iter_local().map(|(id, _)| id).collect()
}
