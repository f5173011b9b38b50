//! A program in two parts that share memory, tables and globals.
//!
//! In the first part, each function of the rest that something there may call is a stub: it has the rest brought if that is not
//! here yet, and jumps to it by a table. The rest imports from the first part whatever it uses, and puts its functions into that table.
//! (It could put them into the program's own table of functions too, and save stubs that are called by a pointer a jump: that weighs 14 kB.)

use std::collections::{BTreeSet, HashMap};

use anyhow::{Context, Result};
use walrus::ir::{UnaryOp, Value};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalKind, ImportId,
    ImportKind, ImportedFunction, Module, ModuleConfig, RefType, ValType, passes,
};

use crate::names::Listed;

/// How both call what the first part gives to the rest.
const FIRST: &str = "first";
/// What the first part imports: the function that brings the rest at once.
const BRING: (&str, &str) = ("rest", "bring");
/// The table of the rest's functions, and whether they are in it.
const JUMPS: &str = "rest jumps";
const HERE: &str = "rest here";

/// The two parts, and the program itself, none of them with names.
pub(crate) struct Parts {
    pub(crate) first: Vec<u8>,
    pub(crate) rest: Vec<u8>,
    pub(crate) whole: Vec<u8>,
}

/// Splits a program: what is listed stays in the first part.
pub(crate) fn of(whole: &[u8], listed: &Listed) -> Result<Parts> {
    let mut bare = ModuleConfig::new();
    bare.generate_name_section(false).generate_producers_section(false);
    let (mut first, mut rest) = (bare.parse(whole)?, bare.parse(whole)?);
    // Read from the same bytes, both number all that they have alike.
    let later: Later = rest
        .funcs
        .iter_local()
        .map(|(id, _)| id)
        .filter(|id| !listed.has(rest.funcs.get(*id)))
        .map(|id| id.index())
        .collect();
    import_others(&mut rest, &later);
    drop_unused(&mut rest, &later);
    export_used(&mut first, &rest)?;
    let called = make_stubs(&mut first, &later);
    fill_jumps(&mut rest, &called);
    Ok(Parts { first: first.emit_wasm(), rest: rest.emit_wasm(), whole: bare.parse(whole)?.emit_wasm() })
}

/// The numbers of the rest's functions.
type Later = BTreeSet<usize>;

/// Puts stubs into the places of the rest's functions that something in the first part may call, and drops all others; their numbers, in the order of the table.
fn make_stubs(first: &mut Module, later: &Later) -> Vec<usize> {
    let ids: Vec<_> =
        first.funcs.iter().map(|function| function.id()).filter(|id| later.contains(&id.index())).collect();
    for id in ids {
        let mut empty = stub(first, id);
        empty.func_body().unreachable();
        first.funcs.get_mut(id).kind = FunctionKind::Local(empty.local_func(Vec::new()));
    }
    passes::gc::run(first);
    let called: Vec<_> =
        first.funcs.iter().map(|function| function.id()).filter(|id| later.contains(&id.index())).collect();
    let jumps = first.tables.add_local(false, called.len() as u64, Some(called.len() as u64), RefType::FUNCREF);
    first.exports.add(JUMPS, jumps);
    let ensure = ensure_here(first);
    for (slot, id) in called.iter().enumerate() {
        let ty = first.funcs.get(*id).ty();
        let parameters = first.types.get(ty).params().to_vec();
        let locals: Vec<_> = parameters.into_iter().map(|one| first.locals.add(one)).collect();
        let mut stub = stub(first, *id);
        let mut body = stub.func_body();
        body.call(ensure);
        for local in &locals {
            body.local_get(*local);
        }
        body.i32_const(slot as i32).call_indirect(ty, jumps);
        first.funcs.get_mut(*id).kind = FunctionKind::Local(stub.local_func(locals));
    }
    called.into_iter().map(|id| id.index()).collect()
}

/// What builds a function of the same type.
fn stub(first: &mut Module, id: FunctionId) -> FunctionBuilder {
    let ty = first.types.get(first.funcs.get(id).ty());
    let (parameters, results) = (ty.params().to_vec(), ty.results().to_vec());
    FunctionBuilder::new(&mut first.types, &parameters, &results)
}

/// The function that has the rest brought unless it is here.
fn ensure_here(first: &mut Module) -> FunctionId {
    let nothing = first.types.add(&[], &[]);
    let (bring, _) = first.add_import_func(BRING.0, BRING.1, nothing);
    let here = first.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
    first.exports.add(HERE, here);
    let mut ensure = FunctionBuilder::new(&mut first.types, &[], &[]);
    ensure.func_body().global_get(here).unop(UnaryOp::I32Eqz).if_else(
        None,
        |absent| {
            absent.call(bring);
        },
        |_| {},
    );
    ensure.finish(Vec::new(), &mut first.funcs)
}

/// Has the rest put these functions into the table of the stubs.
fn fill_jumps(rest: &mut Module, called: &[usize]) {
    let size = called.len() as u64;
    let (table, _) = rest.add_import_table(FIRST, JUMPS, false, size, Some(size), RefType::FUNCREF);
    let ids: HashMap<_, _> = rest.funcs.iter().map(|function| (function.id().index(), function.id())).collect();
    let functions = called.iter().filter_map(|one| ids.get(one).copied()).collect();
    let kind = ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(0)) };
    let segment = rest.elements.add(kind, ElementItems::Functions(functions));
    rest.tables.get_mut(table).elem_segments.insert(segment);
}

/// Drops what none of the rest's functions uses.
fn drop_unused(rest: &mut Module, later: &Later) {
    let own = rest.funcs.iter_local().map(|(id, _)| id).filter(|id| later.contains(&id.index())).collect();
    // What is declared so is kept.
    let declared = rest.elements.add(ElementKind::Declared, ElementItems::Functions(own));
    passes::gc::run(rest);
    rest.elements.delete(declared);
}

/// Makes imports of all that the first part has; it alone starts, exports, and fills memory and the program's own tables.
fn import_others(rest: &mut Module, later: &Later) {
    rest.start = None;
    for id in rest.exports.iter().map(|export| export.id()).collect::<Vec<_>>() {
        rest.exports.delete(id);
    }
    for id in rest.data.iter().map(|data| data.id()).collect::<Vec<_>>() {
        rest.data.delete(id);
    }
    for id in rest.elements.iter().map(|segment| segment.id()).collect::<Vec<_>>() {
        rest.elements.delete(id);
    }
    for import in rest.imports.iter_mut() {
        (import.module, import.name) = (FIRST.to_owned(), export_name(&import.kind));
    }
    for id in rest.funcs.iter_local().map(|(id, _)| id).filter(|id| !later.contains(&id.index())).collect::<Vec<_>>() {
        let ty = rest.funcs.get(id).ty();
        let import = import(rest, id.into());
        rest.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
    }
    for id in rest.memories.iter().map(|memory| memory.id()).collect::<Vec<_>>() {
        let import = import(rest, id.into());
        let memory = rest.memories.get_mut(id);
        (memory.import, memory.maximum) = (Some(import), None);
        memory.data_segments.clear();
    }
    for id in rest.tables.iter().filter(|table| table.import.is_none()).map(|table| table.id()).collect::<Vec<_>>() {
        let import = import(rest, id.into());
        let table = rest.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
    }
    for id in rest.globals.iter().map(|global| global.id()).collect::<Vec<_>>() {
        let import = import(rest, id.into());
        rest.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
}

fn import(rest: &mut Module, what: ImportKind) -> ImportId {
    let name = export_name(&what);
    rest.imports.add(FIRST, &name, what)
}

/// What the first part calls it for the rest.
fn export_name(what: &ImportKind) -> String {
    match what {
        ImportKind::Function(id) => format!("f{}", id.index()),
        ImportKind::Memory(id) => format!("m{}", id.index()),
        ImportKind::Table(id) => format!("t{}", id.index()),
        ImportKind::Global(id) => format!("g{}", id.index()),
        ImportKind::Tag(id) => format!("e{}", id.index()),
    }
}

/// Exports from the first part what the rest imports.
fn export_used(first: &mut Module, rest: &Module) -> Result<()> {
    let functions: HashMap<_, _> = first.funcs.iter().map(|one| (one.id().index(), one.id())).collect();
    let memories: HashMap<_, _> = first.memories.iter().map(|one| (one.id().index(), one.id())).collect();
    let tables: HashMap<_, _> = first.tables.iter().map(|one| (one.id().index(), one.id())).collect();
    let globals: HashMap<_, _> = first.globals.iter().map(|one| (one.id().index(), one.id())).collect();
    for import in rest.imports.iter() {
        let item: Option<ExportItem> = match import.kind {
            ImportKind::Function(id) => functions.get(&id.index()).map(|id| (*id).into()),
            ImportKind::Memory(id) => memories.get(&id.index()).map(|id| (*id).into()),
            ImportKind::Table(id) => tables.get(&id.index()).map(|id| (*id).into()),
            ImportKind::Global(id) => globals.get(&id.index()).map(|id| (*id).into()),
            ImportKind::Tag(_) => None,
        };
        first.exports.add(&import.name, item.with_context(|| format!("the first part has no {}", import.name))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use walrus::ModuleConfig;

    use super::*;

    /// A program that exports `run`, which calls `early` and `late`; `late` calls `early`.
    fn program() -> Vec<u8> {
        let mut module = Module::with_config(ModuleConfig::new());
        let memory = module.memories.add_local(false, false, 1, None, None);
        module.exports.add("memory", memory);
        let mut function = |name: &str, calls: &[FunctionId]| {
            let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
            let mut body = builder.name(name.to_owned()).func_body();
            calls.iter().for_each(|called| {
                body.call(*called);
            });
            builder.finish(Vec::new(), &mut module.funcs)
        };
        let early = function("early", &[]);
        let late = function("late", &[early]);
        let run = function("run", &[early, late]);
        module.exports.add("run", run);
        module.emit_wasm()
    }

    /// The names of what it imports, with where from, and of what it exports.
    fn seams(part: &[u8]) -> (Vec<String>, Vec<String>) {
        let part = Module::from_buffer(part).expect("a program");
        let imports = part.imports.iter().map(|import| format!("{}.{}", import.module, import.name));
        let (mut imports, mut exports): (Vec<_>, Vec<_>) =
            (imports.collect(), part.exports.iter().map(|export| export.name.clone()).collect());
        imports.sort();
        exports.sort();
        (imports, exports)
    }

    fn of_those(names: &[&str]) -> Parts {
        let program = program();
        let whole = Module::from_buffer(&program).expect("a program");
        let has = |function: &&walrus::Function| function.name.as_deref().is_some_and(|name| names.contains(&name));
        of(&program, &Listed::of(whole.funcs.iter().filter(has))).expect("parts")
    }

    #[test]
    fn the_rest_takes_from_the_first_part_what_it_calls() {
        let parts = of_those(&["early", "run"]);
        let (imports, given) = seams(&parts.first);
        assert_eq!(imports, ["rest.bring"]);
        let (taken, exports) = seams(&parts.rest);
        // One function, by a number that hangs on the order of the program, and the table.
        assert_eq!(taken, [format!("first.{}", given[0]), format!("first.{JUMPS}")]);
        assert_eq!(given[1..], ["memory", HERE, JUMPS, "run"]);
        assert!(exports.is_empty());
        assert_eq!(seams(&parts.whole), (Vec::new(), vec!["memory".to_owned(), "run".to_owned()]));
    }

    /// What begins in the first part is a stub there if it is of the rest, and still exported.
    #[test]
    fn what_is_exported_stays_exported() {
        let (_, exports) = seams(&of_those(&["early"]).first);
        assert!(exports.contains(&"run".to_owned()));
    }
}
