/** Presses of buttons. The route has checked that the caller may press this one. */
import { type Caller, type Deps, invalidField, newId, Problem, wording } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import type { DeclaredButton, DeclaredInputField } from '../../domain/definition/declared.ts'
import { pathsOf } from '../../domain/values/condition.ts'
import { problems } from '../../problems.ts'
import type { RunRecord } from '../../records/run.ts'
import type { Control } from '../control.ts'
import type { PressRights } from './press-rights.ts'
import type { StartCondition } from './start-condition.ts'

export interface Press {
  readonly automation: Automation
  readonly button: DeclaredButton
  readonly caller: Caller
  readonly tenantId: string
  readonly row: string
  readonly input: Readonly<Record<string, unknown>>
  /** `Idempotency-Key` of the request. */
  readonly key: string | undefined
}
export interface Presses {
  /**
   * Throws `button_of_others`, `not_found` for a row that the caller may not read, `button_not_offered` and
   * `already_running`.
   */
  press(given: Press): Promise<RunRecord>
}

type PressDeps = Deps<'clock', 'collections' | 'people'> & {
  readonly control: Control
  readonly pressRights: PressRights
  readonly startCondition: StartCondition
}

export function createPresses({
  clock,
  collections,
  people,
  control,
  pressRights,
  startCondition,
}: PressDeps): Presses {
  /** What a form names has to exist for the person who fills it in. */
  async function assertFound(name: string, value: unknown, field: DeclaredInputField, given: Press): Promise<void> {
    if (typeof value !== 'string') return
    const { caller, tenantId } = given
    const isFound =
      field.type === 'member'
        ? ((await people?.memberIds(tenantId, [value])) ?? []).length > 0
        : field.type !== 'reference' ||
          typeof field.to !== 'string' ||
          (await mayRead(field.to, value, caller, tenantId))
    if (!isFound) throw invalidField(`/input/${name}`, 'not_found', wording('must be an ID of this workspace'))
  }

  async function mayRead(collection: string, id: string, caller: Caller, tenantId: string): Promise<boolean> {
    try {
      await collections?.rows(collection, { tenantId, caller }).get(id)
      return true
    } catch (error) {
      if (Problem.is(error) && error.status === 404) return false
      throw error
    }
  }

  return {
    async press(given) {
      const { automation, button, caller, tenantId, row, input, key } = given
      if (!pressRights.mayPress(caller, automation.key, button)) throw problems.button_of_others()
      if (!collections) throw new Error('buttons belong to rows of collections')
      const readable = await collections.rows(button.on, { tenantId, caller }).get(row)
      for (const [name, field] of Object.entries(button.input ?? {})) await assertFound(name, input[name], field, given)
      const run = {
        automation: automation.key,
        tenantId,
        trigger: 'button',
        key: `press ${caller.principalId} ${key ?? newId('key', clock.now())}`,
        collection: button.on,
        rowId: row,
        input: { input },
      } as const
      return control.press(run, async () => {
        const offer = {
          // Conditions see private fields, as those of other triggers do. The row stays as it is until the run has begun.
          row: pathsOf(automation.when).some(([root]) => root === 'row')
            ? await collections.rows(button.on, { tenantId }).getForUpdate(row)
            : readable,
          input,
        }
        if (!(await startCondition.matches(automation.when, tenantId, offer))) throw problems.button_not_offered()
      })
    },
  }
}
