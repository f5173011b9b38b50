await __wbg_init({ module_or_path: new URL('%THREADS%', import.meta.url) });
