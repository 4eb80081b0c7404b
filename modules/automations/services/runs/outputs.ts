/** Outputs of actions that have secrets: stored encrypted, so that later steps can use them, and redacted to be shown. */
import { isDeepStrictEqual } from 'node:util'
import { type BoundAction, type Deps, isRecord, valueKind } from '@larder-dev/larder/kernel'
import { REDACTED, textsIn } from '../../domain/values/environment.ts'
import type { StepRow } from './run-record.ts'

export interface StoredOutput {
  /** As runs show it. */
  readonly output: unknown
  /** Null without secrets. */
  readonly sealed: Buffer | null
}

export interface Outputs {
  /** @param hide removes what runs don't show of other steps, which an action may repeat. */
  ofAction(action: BoundAction, output: unknown, hide: <T>(value: T) => T): StoredOutput
  /** The list of those of the items of a step. */
  ofItems(items: readonly Pick<StepRow, 'output' | 'sealed'>[]): StoredOutput
  /** The output as the action returned it. */
  open(step: Pick<StepRow, 'output' | 'sealed'>): unknown
  /** The texts that runs must not show in later steps. */
  secretsOf(steps: readonly StepRow[]): readonly string[]
}

const PURPOSE = 'output of an automation'

export function createOutputs({ secrets }: Deps<'secrets'>): Outputs {
  const seal = (output: unknown) => secrets.encrypt(PURPOSE, JSON.stringify(output))
  const open: Outputs['open'] = ({ output, sealed }) =>
    sealed === null ? output : (JSON.parse(secrets.decrypt(PURPOSE, sealed)) as unknown)
  return {
    ofAction(action, output, hide) {
      const whole = output ?? null
      const names = secretNames(action)
      const own = isRecord(whole)
        ? Object.fromEntries(
            Object.entries(whole).map(([name, value]) => [name, names.includes(name) ? REDACTED : value]),
          )
        : whole
      const shown = hide(own)
      return { output: shown, sealed: isDeepStrictEqual(shown, whole) ? null : seal(whole) }
    },
    ofItems: items => ({
      output: items.map(({ output }) => output),
      sealed: items.some(({ sealed }) => sealed !== null) ? seal(items.map(open)) : null,
    }),
    open,
    secretsOf: steps => steps.flatMap(step => (step.sealed === null ? [] : hiddenTexts(open(step), step.output))),
  }
}

const secretNames = ({ output }: BoundAction): readonly string[] =>
  Object.entries((Reflect.get(output ?? {}, 'properties') ?? {}) as Readonly<Record<string, object>>).flatMap(
    ([name, schema]) => (valueKind(schema) === 'secret' ? name : []),
  )

/** The texts that the shown output lacks. */
function hiddenTexts(whole: unknown, shown: unknown): readonly string[] {
  const visible = new Set(textsIn(shown))
  return textsIn(whole).filter(text => !visible.has(text))
}
