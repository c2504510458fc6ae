// The project's own lint rules, for Oxlint. Each reports what its selectors match.
const refuse = (message, ...selectors) => ({
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

// Nobody catches the rejection of a listener. `no-misused-promises` refuses async listeners, and `void` would hide the same.
const LISTENS = 'on|once|addListener|prependListener|addEventListener';
const HIDDEN =
  "ArrowFunctionExpression UnaryExpression[operator='void'] > CallExpression:not([callee.property.name='catch'])";

const UPPER_CASE_SQL =
  '^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|BEGIN|COMMIT|ROLLBACK)\\b';

const isType = ({ isTypeReference, isValueReference }) => isTypeReference && !isValueReference;

/** consistent-type-imports for Nest: Oxlint's own doesn't know that metadata of decorators uses the types of parameters as values. */
const typeImport = {
  create(context) {
    const imports = [];
    let isDecorated = false;
    return {
      Decorator() {
        isDecorated = true;
      },
      ImportSpecifier(node) {
        if (node.importKind !== 'type' && node.parent.importKind !== 'type') imports.push(node);
      },
      'Program:exit'() {
        if (isDecorated) return;
        for (const node of imports) {
          const [{ name, references }] = context.sourceCode.getDeclaredVariables(node);
          if (references.length > 0 && references.every(isType))
            context.report({ node, message: `Import \`${name}\` with \`type\`: it is used as a type only.` });
        }
      },
    };
  },
};

export default {
  meta: { name: 'nimo' },
  rules: {
    'unguarded-listener': refuse(
      'What a listener leaves undone must have somebody who knows: `guarded(…)`, or `.catch(…)`.',
      `CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/] > ${HIDDEN}`,
      `CallExpression[callee.property.name=/^(${LISTENS})$/] > ${HIDDEN}`,
      `Property[key.name=/^on[A-Z]/] > ${HIDDEN}`,
    ),
    // `pg` hears errors of idle connections only.
    'open-connection': refuse(
      'A connection that breaks must not end the process: `openPool(…)` or `newClient(…)`.',
      "NewExpression[callee.object.name='pg'][callee.property.name=/^(Pool|Client)$/]",
    ),
    'type-import': typeImport,
    // A bare subscription misses what happens before the api listens and while the socket is down.
    'bare-subscription': refuse(
      'Signals are missed without `useLive(…)` of `lib/live.ts`.',
      "CallExpression[callee.object.name=/^(client|apollo)$/][callee.property.name='subscribe']",
    ),
    'private-name': refuse('Write `private name`, not `#name`, as everywhere here.', 'PrivateIdentifier'),
    'sql-case': refuse(
      'Write SQL keywords in lower case.',
      `TemplateElement[value.raw=/${UPPER_CASE_SQL}/]`,
      `CallExpression[callee.property.name='query'] Literal[value=/${UPPER_CASE_SQL}/]`,
    ),
  },
};
