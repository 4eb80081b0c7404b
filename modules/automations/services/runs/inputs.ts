/** The input of an action: its values in place of their expressions, rows and people found, and validated. */
import { type ActionPerson, type BoundAction, type Ports, valueKind } from '@larder-dev/larder/kernel'
import { MAX_INPUT_BYTES } from '../../domain/definition/automation.ts'
import { parseExpression } from '../../domain/values/expression.ts'
import { type Offer, resolve } from '../../domain/values/resolve.ts'
import type { RowKinds } from '../row-kinds.ts'
import { StepRefused } from './failures.ts'
import { COLLECTION } from './rows.ts'
import type { InputValidation } from './validation.ts'

export interface Inputs {
  /** Throws StepRefused. */
  of(
    name: string,
    action: BoundAction,
    given: {
      readonly written: Readonly<Record<string, unknown>>
      readonly offer: Offer
      readonly tenantId: string
      readonly collection: string | null
    },
  ): Promise<Readonly<Record<string, unknown>>>
}

interface InputDeps {
  readonly people?: Pick<Ports['people'], 'members' | 'byMemberIds' | 'withConfirmedEmail'>
  readonly rowKinds: RowKinds
  readonly validation: InputValidation
}

export function createInputs({ people, rowKinds, validation }: InputDeps): Inputs {
  /** @param text that the recipe writes: `$row`, `$row.project`, or `$steps.made`. */
  function rowOf(value: unknown, text: unknown, collection: string | null) {
    if (typeof value === 'object' && value !== null) {
      const { id } = value as { id?: unknown }
      const from: unknown = Reflect.get(value, COLLECTION)
      if (typeof id === 'string' && typeof from === 'string') return { collection: from, id }
    }
    const expression = typeof text === 'string' ? parseExpression(text) : undefined
    const [root, field] = expression?.kind === 'value' ? expression.path : []
    const to = root === 'row' && field !== undefined ? rowKinds.all.get(collection ?? '')?.references[field] : undefined
    if (typeof value === 'string' && to !== undefined) return { collection: to, id: value }
    throw new StepRefused('no_row', `${String(text)} is no row`)
  }

  async function personOf(value: unknown, text: unknown, tenantId: string): Promise<ActionPerson> {
    if (typeof value !== 'string' || value === '') throw new StepRefused('no_person', `${String(text)} is no person`)
    const isId = !value.includes('@')
    const [found] = await lookUp(value, isId, tenantId)
    if (!found && isId) throw new StepRefused('no_person', `${value} is no member of the workspace`)
    // A stranger can write the address of a member. An address that the recipe writes out is that of its author.
    const isForeign = !isId && value !== text
    return { ...(found ?? { email: value, userId: null, name: null, locale: null }), isForeign }
  }

  async function lookUp(value: string, isId: boolean, tenantId: string) {
    if (!people) return []
    const found = !isId
      ? await people.withConfirmedEmail(tenantId, [value.toLowerCase()])
      : value.startsWith('mem_')
        ? await people.byMemberIds(tenantId, [value])
        : await people.members(tenantId, [value])
    return found.map(({ userId, name, email, locale }) => ({ userId, name, email, locale }))
  }

  return {
    async of(name, action, { written, offer, tenantId, collection }) {
      const input = resolve(written, offer, { ...action.input }) as Record<string, unknown>
      for (const [key, schema] of Object.entries(action.input.properties)) {
        const kind = valueKind(schema)
        const text = written[key]
        if (text === undefined) continue
        if (kind === 'row') input[key] = rowOf(input[key], text, collection)
        if (kind === 'person') input[key] = await personOf(input[key], text, tenantId)
        // A value that is missing is left out where it may be.
        if (input[key] === null && !action.input.required?.includes(key)) delete input[key]
      }
      const bytes = Buffer.byteLength(JSON.stringify(input))
      if (bytes > MAX_INPUT_BYTES)
        throw new StepRefused('input_too_large', `The input has ${bytes} bytes, over the limit of ${MAX_INPUT_BYTES}`)
      validation.assert(name, action, input)
      return input
    },
  }
}
