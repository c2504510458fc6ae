/** One operation by its id, without its text; see `scripts/sent-document.mjs`. */
declare module '*.graphql?call' {
  const call: { readonly id: string; readonly isMutation: boolean };
  export default call;
}
