/** What automations can do with features. */
import {
  type ActionRecipe,
  action,
  didYouMean,
  isRecord,
  isWrittenOut,
  literalValue,
  type StepMistake,
  Type,
} from '@larder-dev/larder/kernel'
import { typeOf, type Value } from './domain/value.ts'
import { FlagKey, FlagValue } from './records/flag.ts'
import type { FeatureServices } from './services.ts'

type Needs = Pick<FeatureServices, 'overrides'>
const closed = { additionalProperties: false }
// A feature can be what a plan sells.
const Feature = literalValue(Type.String({ ...FlagKey, description: 'Key of the feature' }))

export const actions = {
  set: action({
    title: { en: 'Set a feature', de: 'Funktion schalten' },
    description: {
      en: "Sets the workspace's override of a feature, also of one that its plan lacks",
      de: 'Setzt die Ausnahme des Workspace für eine Funktion, auch für eine, die sein Tarif nicht enthält',
    },
    input: Type.Object({ feature: Feature, value: literalValue(FlagValue) }, closed),
    effects: 'database',
    check: (written, recipe) => ({
      mistakes: [...keyMistakes(written, recipe), ...typeMistakes(written, recipe)],
      events: ['features.override.set'],
    }),
    run: ({ overrides }: Needs, { feature, value }, { tenantId }) => overrides.write(tenantId, feature, value),
  }),

  reset: action({
    title: { en: 'Reset a feature', de: 'Funktion zurücksetzen' },
    description: {
      en: "Removes the workspace's override of a feature; does nothing without one",
      de: 'Entfernt die Ausnahme des Workspace für eine Funktion; tut ohne Ausnahme nichts',
    },
    input: Type.Object({ feature: Feature }, closed),
    effects: 'database',
    check: (written, recipe) => ({ mistakes: keyMistakes(written, recipe), events: ['features.override.removed'] }),
    async run({ overrides }: Needs, { feature }, { tenantId }) {
      await overrides.clear(tenantId, feature)
    },
  }),
}

type Written = Readonly<Record<string, unknown>>
type Flags = Readonly<Record<string, { readonly default?: Value }>>
const flagsOf = (recipe: ActionRecipe): Flags => (recipe.section('features') ?? {}) as Flags

function keyMistakes({ feature }: Written, recipe: ActionRecipe): StepMistake[] {
  const known = Object.keys(flagsOf(recipe))
  if (!isWrittenOut(feature) || known.includes(feature)) return []
  const hint = didYouMean(feature, known) ?? `Add it under features: ${feature}: { default: false }`
  return [{ path: ['feature'], code: 'unknown_feature', message: `Unknown feature "${feature}"`, hint }]
}

function typeMistakes({ feature, value }: Written, recipe: ActionRecipe): StepMistake[] {
  const flags = flagsOf(recipe)
  if (typeof feature !== 'string' || !Object.hasOwn(flags, feature)) return []
  const standard = flags[feature]?.default
  const isValue = ['boolean', 'number'].includes(typeof value) || isWrittenOut(value) || isRecord(value)
  if (standard === undefined || !isValue || typeOf(value as Value) === typeOf(standard)) return []
  const message = `The feature "${feature}" has values of the type ${typeOf(standard)}`
  return [{ path: ['value'], code: 'wrong_type', message }]
}
