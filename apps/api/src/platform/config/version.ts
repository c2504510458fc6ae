import product from '../../../../../package.json' with { type: 'json' };

/** Of this code. The one place that says it is package.json; it is built in. */
export const PRODUCT_VERSION: string = product.version;
