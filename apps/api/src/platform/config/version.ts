import product from '../../../../../package.json' with { type: 'json' };

/** Version from package.json, inlined by the build. */
export const PRODUCT_VERSION: string = product.version;
