type Given<Input> = { readonly [Key in keyof Input]?: NonNullable<Input[Key]> };

/** The fields of an input that say something: null is as good as left out. */
export const given = <Input extends object>(input: Input): Given<Input> =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<Input>;
