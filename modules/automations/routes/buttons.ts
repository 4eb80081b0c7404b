/** One route for each button, so that its form is in the API document. */
import { type AnyRoute, common, KIB, route, Type } from '@larder-dev/larder/kernel'
import { idempotencyKey } from '@larder-dev/larder/kernel/internal'
import { inputExtension, inputObject } from '../domain/definition/input-fields.ts'
import { pressOperation, pressPermission } from '../domain/names.ts'
import { problems } from '../problems.ts'
import { Run } from '../records/run.ts'
import type { AutomationServices } from '../services.ts'

export const buttonRoutes = ({ definitions, presses }: Pick<AutomationServices, 'definitions' | 'presses'>) =>
  [...definitions.current.values()].flatMap(automation => {
    const { key, trigger } = automation
    if (trigger.kind !== 'button') return []
    const fields = Object.values(trigger.input ?? {})
    const input = inputObject(trigger.input ?? {}, true)
    const body = Type.Object({
      row: Type.String({ minLength: 1, maxLength: 64, description: `ID of a row of ${trigger.on}` }),
      input: fields.some(({ required }) => required) ? input : Type.Optional(input),
    })
    return route({
      method: 'post',
      path: `/automations/${key}/run`,
      operationId: pressOperation(key),
      allow: pressPermission(key),
      summary: `Starts the automation ${key} for a row of ${trigger.on}, if the caller may read the row.`,
      description: `For members with one of these roles, and owners: ${trigger.roles.map(role => `\`${role}\``).join(', ')}. A role that the workspace defined itself needs the permission. While a run of the button is open for the row, another press is \`already_running\`.`,
      // A run acts as the product: its steps can invite people, grant roles and send data to other systems.
      impersonation: false,
      extensions: { 'x-larder-fields': inputExtension(trigger.input ?? {}) },
      body,
      bodyLimit: 64 * KIB,
      replies: { 202: Run },
      problems: [common.not_found, problems.button_of_others, problems.button_not_offered, problems.already_running],
      handle: ({ body: { row, input = {} }, caller, tenantId, request }) =>
        presses.press({
          automation,
          button: trigger,
          caller,
          tenantId,
          row,
          input,
          key: idempotencyKey(request.headers),
        }),
    }) as AnyRoute<`automations.${string}.run`>
  })
