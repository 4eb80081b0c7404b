/** Outputs of actions that have secrets: stored encrypted, so that later steps can use them, and redacted to be shown. */
import { isDeepStrictEqual } from 'node:util'
import {
  type BoundAction,
  type Deps,
  isRecord,
  type SealedColumn,
  sealedValues,
  valueKind,
} from '@larder-dev/larder/kernel'
import { REDACTED, textsIn } from '../../domain/values/environment.ts'
import { problems } from '../../problems.ts'
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
  /** The output as the action returned it. @throws Problem `output_unreadable` */
  open(step: Pick<StepRow, 'output' | 'sealed'>): unknown
  /** Undefined for one that no accepted LARDER_SECRET decrypts. */
  tryOpen(sealed: Buffer): { readonly output: unknown } | undefined
  /** The texts that runs must not show in later steps. */
  secretsOf(steps: readonly StepRow[]): readonly string[]
}

export const OUTPUT_COLUMN: SealedColumn = {
  table: 'automations_steps',
  column: 'sealed',
  purpose: 'output of an automation',
  key: ['tenant_id', 'run_id', 'position', 'item'],
}

export function createOutputs({ secrets, log }: Deps<'secrets' | 'log'>): Outputs {
  const values = sealedValues({ secrets, log }, OUTPUT_COLUMN)
  const seal = (output: unknown) => values.seal(JSON.stringify(output))
  const open: Outputs['open'] = ({ output, sealed }) =>
    sealed === null ? output : (JSON.parse(values.open(sealed, problems.output_unreadable)) as unknown)
  const hiddenIn = ({ output, sealed }: Pick<StepRow, 'output' | 'sealed'>): readonly string[] => {
    // Nothing repeats what cannot be read.
    const whole = sealed === null ? undefined : values.tryOpen(sealed)
    return whole === undefined ? [] : hiddenTexts(JSON.parse(whole) as unknown, output)
  }
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
    tryOpen: sealed => {
      const whole = values.tryOpen(sealed)
      return whole === undefined ? undefined : { output: JSON.parse(whole) as unknown }
    },
    secretsOf: steps => steps.flatMap(hiddenIn),
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
