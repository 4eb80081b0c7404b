/** Deliveries to hooks: verified, read, and started once. */

import type { IncomingHttpHeaders } from 'node:http'
import { common, type Deps, newId } from '@larder-dev/larder/kernel'
import { createValidator, parseJson } from '@larder-dev/larder/kernel/internal'
import type { Automation } from '../../domain/definition/automation.ts'
import type { DeclaredHook } from '../../domain/definition/declared.ts'
import { inputObject } from '../../domain/definition/input-fields.ts'
import { verifiedDelivery } from '../../domain/hook-signature.ts'
import type { RunStarter } from './run-starter.ts'
import type { StartCondition } from './start-condition.ts'

export interface Deliveries {
  /**
   * Returns whether the delivery started a run: not a second time, and not without the conditions of the automation.
   * Throws `bad_signature`, `malformed` and `validation_failed`.
   */
  receive(
    automation: Automation,
    hook: DeclaredHook,
    delivery: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  ): Promise<boolean>
}

export function createDeliveries({
  database,
  clock,
  operator,
  startCondition,
  starter,
}: Deps<'database' | 'clock' | 'operator'> & {
  readonly startCondition: StartCondition
  readonly starter: RunStarter
}): Deliveries {
  const validator = createValidator()
  const schemas = new Map<string, ReturnType<typeof inputObject>>()
  function schemaOf({ key }: Automation, fields: NonNullable<DeclaredHook['input']>) {
    const schema = schemas.get(key) ?? inputObject(fields, false)
    schemas.set(key, schema)
    return schema
  }

  return {
    async receive(automation, hook, { headers, body }) {
      const verified = verifiedDelivery(hook, { headers, body, now: clock.now() })
      if (!verified) throw common.bad_signature()
      const input = parseJson(body)
      if (hook.input) validator.body(schemaOf(automation, hook.input))(input)
      const { tenantId } = operator
      if (!(await startCondition.matches(automation.when, tenantId, { input }))) return false
      const key = verified.id ?? newId('key', clock.now())
      const run = {
        automation: automation.key,
        tenantId,
        trigger: 'hook',
        key: `delivery ${key}`,
        input: { input },
      } as const
      return database.tenant(tenantId).transaction(async unit => (await starter.start(unit, [run])).length > 0)
    },
  }
}
