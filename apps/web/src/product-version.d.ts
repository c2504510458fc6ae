/** Of the product, as package.json says; Vite puts it in, and nothing else has it. */
declare const __NIMO_VERSION__: string | undefined;
