import { documented, idPattern, named, Type } from '@larder-dev/larder/kernel'
import type { Outcome } from '../domain/outcome.ts'
import { FlagKey, FlagValue } from '../records/flag.ts'

/** OFREP's context: any attributes, with a text as targetingKey. */
export const Context = named(
  'EvaluationContext',
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    maxProperties: 200,
    properties: { targetingKey: { type: 'string', maxLength: 1000 } },
  }),
)
export const examples = [{ context: { targetingKey: 'user-7', country: 'DE' } }]
export const EvaluationInput = Type.Object({ context: Type.Optional(Context) }, { examples })
export const BulkEvaluationInput = Type.Object(
  {
    context: Type.Optional(Context),
    keys: Type.Optional(
      Type.Array(FlagKey, { minItems: 1, maxItems: 200, description: 'Evaluates only these; all if omitted' }),
    ),
  },
  { examples },
)
export const ExplanationInput = Type.Object({
  userId: Type.String({ pattern: idPattern('usr'), description: 'A member of the workspace' }),
  ...BulkEvaluationInput.properties,
})

export const Evaluation = named(
  'FlagEvaluation',
  Type.Object({
    key: Type.String(),
    value: documented(FlagValue, Type.Unknown()),
    reason: Type.String({ description: 'STATIC, DEFAULT, TARGETING_MATCH, SPLIT or DISABLED' }),
    variant: Type.String({
      description:
        '`default`, `override`, or the name of the rule that decided: its `variant`, or `rule-1` for the first',
    }),
    metadata: documented(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'source: disabled, prerequisite, override, entitlement, rule or default',
      }),
      Type.Unknown(),
    ),
  }),
)
const failure = {
  errorCode: Type.String({ description: 'An OpenFeature error code: FLAG_NOT_FOUND, TARGETING_KEY_MISSING, …' }),
  errorDetails: Type.Optional(Type.String()),
}
export const Failure = named('FlagFailure', Type.Object({ key: Type.String(), ...failure }))
export const BulkFailure = named('FlagsFailure', Type.Object(failure))
export const Evaluations = named(
  'FlagEvaluations',
  Type.Object({
    flags: Type.Array(
      documented(
        Type.Union([Evaluation, Failure]),
        Type.Unsafe<Outcome>({ type: 'object', additionalProperties: true }),
      ),
    ),
  }),
)
