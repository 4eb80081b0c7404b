/** Forms as submitting needs them: kept in memory, dropped everywhere when they change. */
import { type Caller, common, type Deps, idPattern } from 'larder/kernel'
import { modelOf } from '../domain/field-model.ts'
import { compileSchema } from '../domain/schema-compiler.ts'
import type { Json } from '../domain/schema-traversal.ts'
import { createMemory } from './memory.ts'
import { unitOf } from './form-unit.ts'

export interface Definition {
  readonly id: string
  readonly tenantId: string
  readonly key: string | null
  readonly name: string
  readonly access: 'tenant' | 'public'
  readonly allowedOrigins: readonly string[]
  /** The newest. */
  readonly version: number
}
interface VersionRow {
  readonly name: string
  readonly schema: Json
  readonly uiSchema: Json | null
}

/** Message on this channel: `{ formId }`, which is different now, or gone. */
const CHANGED = 'forms.changed'
export const SUBMIT = 'forms.submission.create'
const ID = new RegExp(idPattern('frm'))
const KEPT_FORMS = 1000
/** Each holds a compiled schema: at most some 100 KiB. */
const KEPT_VERSIONS = 200
const COLUMNS = 'id, tenant_id as "tenantId", key, name, access, allowed_origins as "allowedOrigins", version'

export function createDefinitions({ database, bus, operator }: Deps<'database' | 'bus' | 'operator'>) {
  const forms = createMemory<Definition>(KEPT_FORMS)
  const versions = createMemory<ReturnType<typeof compiled>>(KEPT_VERSIONS)
  const forget = (formId: string | undefined) => forms.forget(form => formId === undefined || form.id === formId)
  const stop = bus.subscribe(
    CHANGED,
    message => forget(idIn(message)),
    () => forms.forget(),
  )

  /** Only the operator's forms have keys; an id finds a form of any tenant. */
  async function load(address: string): Promise<Definition | undefined> {
    const isId = ID.test(address)
    const unit = isId
      ? database.system('a form is found by its id, whatever its tenant')
      : unitOf(database, operator.tenantId)
    const { rows } = await unit.query<Definition>(
      `select ${COLUMNS} from forms_forms where ${isId ? 'id' : 'key'} = $1`,
      [address],
    )
    return rows[0]
  }

  return {
    stop,
    /** @param address an id, or the key of a form of the recipe. Throws `not_found`. */
    async find(address: string): Promise<Definition> {
      const found = await forms.of(address, () => load(address))
      if (!found) throw common.not_found({ what: 'form' })
      return found
    },
    /** What is in memory of it, for those who cannot wait. */
    peek: (address: string): Definition | undefined => forms.peek(address),
    /** A version never changes. Throws `not_found`. */
    async version({ id, tenantId }: Definition, number: number) {
      const found = await versions.of(`${id} ${number}`, async () => {
        const { rows } = await unitOf(database, tenantId).query<VersionRow>(
          'select name, schema, ui_schema as "uiSchema" from forms_versions where form_id = $1 and number = $2',
          [id, number],
        )
        return rows[0] && compiled(rows[0], number)
      })
      if (!found) throw common.not_found({ what: 'form' })
      return found
    },
    /** Call it in the unit of the change. */
    changed(formId: string): void {
      database.afterCommit(() => {
        forget(formId)
        bus.publish(CHANGED, { formId })
      })
    },
  }
}
export type Definitions = ReturnType<typeof createDefinitions>

function compiled({ name, schema, uiSchema }: VersionRow, number: number) {
  const validate = compileSchema(schema)
  return { number, name, schema, uiSchema, validate, model: modelOf(schema, uiSchema) }
}
export type Version = ReturnType<typeof compiled>

const idIn = (message: unknown): string | undefined => {
  const { formId } = Object(message) as { formId?: unknown }
  return typeof formId === 'string' ? formId : undefined
}

/**
 * Whether this caller is one of the tenant's people, with the permission, or somebody of the public. Throws what a
 * stranger may know: a form of another tenant is not there.
 */
export function admit({ access, tenantId }: Definition, caller: Caller | undefined): 'member' | 'public' {
  const own = caller?.tenantId === tenantId
  if (own && caller.can(SUBMIT)) return 'member'
  if (access === 'public') return 'public'
  if (!caller) throw common.unauthenticated()
  if (!own) throw common.not_found({ what: 'form' })
  throw common.forbidden({ permission: SUBMIT }, { requiredPermission: SUBMIT })
}
