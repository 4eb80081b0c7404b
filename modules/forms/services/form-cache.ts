/** Caches forms and their compiled versions, as submissions need them. */
import { cleanName, common, type Deps, idPattern } from '@larder-dev/larder/kernel'
import type { Access } from '../domain/access.ts'
import { createFieldModel, type FieldGroup } from '../domain/field-model.ts'
import { inLanguage, schemaTexts, uiTexts } from '../domain/local-texts.ts'
import type { Json } from '../domain/schema-traversal.ts'
import { formTable, MAX_NAME_LENGTH, type VersionRow, versionTable } from '../records/form.ts'
import { formUnit } from './form-unit.ts'
import type { EntryValidator, FormValidation } from './form-validation.ts'

export interface FormDefinition {
  readonly id: string
  readonly tenantId: string
  readonly key: string | null
  readonly name: string
  readonly access: Access
  readonly allowedOrigins: readonly string[]
  /** The current version. */
  readonly version: number
}
export interface CompiledVersion {
  readonly tenantId: string
  readonly number: number
  readonly schema: Json
  readonly validate: EntryValidator
  /** With the texts in the language of a reader. */
  in(locale: string): LocalForm
}
export interface LocalForm {
  /** That of the schema, or else the name of the form. One line. */
  readonly title: string
  readonly schema: Json
  readonly uiSchema: Json | null
  readonly model: FieldGroup
}

export interface FormCache {
  /** @param idOrKey an id, or the key of a form of the recipe. Throws `not_found`. */
  find(idOrKey: string): Promise<FormDefinition>
  /** The form if it is in memory, for callers that can't wait. */
  peek(idOrKey: string): FormDefinition | undefined
  /** Throws `not_found`. */
  version(form: FormDefinition, number: number): Promise<CompiledVersion>
  /** Drops the form in all processes when the surrounding unit commits. */
  invalidateAfterCommit(formId: string): void
}

const CHANNEL = 'forms.changed'
const ID = new RegExp(idPattern('frm'))
const MAX_FORMS = 1000
/** Each holds a compiled schema of up to about 100 KiB. */
const MAX_VERSIONS = 200
const COLUMNS = formTable.columns(undefined, ['id', 'tenantId', 'key', 'name', 'access', 'allowedOrigins', 'version'])

type CacheDeps = Deps<'database' | 'systemDatabase' | 'caches' | 'operator' | 'product'> & {
  readonly formValidation: FormValidation
}

export function createFormCache(deps: CacheDeps): FormCache {
  const { database, systemDatabase, caches, operator, formValidation } = deps
  const forms = caches.create<FormDefinition | undefined, typeof CHANNEL>({
    channel: CHANNEL,
    // The id of a form that is being loaded by its key isn't known yet.
    isStale: ({ formId }, _, form) => form === undefined || form.id === formId,
    isOf: (tenantId, _, form) => form === undefined || form.tenantId === tenantId,
    maxWeight: MAX_FORMS,
  })
  // A version never changes, but it can be deleted with its form.
  const versions = caches.create<CompiledVersion | undefined, typeof CHANNEL>({
    channel: CHANNEL,
    isStale: ({ formId }, key) => key.startsWith(`${formId} `),
    isOf: (tenantId, _, version) => version === undefined || version.tenantId === tenantId,
    maxWeight: MAX_VERSIONS,
  })

  /** An id finds a form of any tenant. Only the operator's forms have keys. */
  async function loadForm(idOrKey: string): Promise<FormDefinition | undefined> {
    const isId = ID.test(idOrKey)
    const unit = isId
      ? systemDatabase.acrossTenants('a form is found by its id in every tenant')
      : formUnit(deps, operator.tenantId)
    const { rows } = await unit.query<FormDefinition>(
      `select ${COLUMNS} from forms_forms where ${isId ? 'id' : 'key'} = $1`,
      [idOrKey],
    )
    return rows[0]
  }

  async function loadVersion({ id, tenantId }: FormDefinition, number: number): Promise<CompiledVersion | undefined> {
    const version = await versionTable.find(formUnit(deps, tenantId), { formId: id, number })
    return version && compileVersion(version, id, tenantId)
  }

  function compileVersion(version: VersionRow, formId: string, tenantId: string): CompiledVersion {
    const { schema, number } = version
    const validate = formValidation.entryValidator({ formId, version: number, tenantId, schema })
    const local = new Map<string, LocalForm>()
    return {
      tenantId,
      number,
      schema,
      validate,
      in(locale) {
        const found = local.get(locale) ?? localForm(version, locale, deps.product.locales.default)
        local.set(locale, found)
        return found
      },
    }
  }

  return {
    async find(idOrKey) {
      const form = await forms.get(idOrKey, () => loadForm(idOrKey))
      if (!form) throw common.not_found({ what: 'form' })
      return form
    },
    peek: idOrKey => forms.peek(idOrKey),
    async version(form, number) {
      const version = await versions.get(`${form.id} ${number}`, () => loadVersion(form, number))
      if (!version) throw common.not_found({ what: 'form' })
      return version
    },
    invalidateAfterCommit: formId => database.afterCommit(() => forms.invalidate({ formId })),
  }
}

export function localForm(
  { name, schema, uiSchema }: Pick<VersionRow, 'name' | 'schema' | 'uiSchema'>,
  locale: string,
  defaultLocale: string,
): LocalForm {
  const local = inLanguage(schema, schemaTexts, locale, defaultLocale)
  const ui = uiSchema && inLanguage(uiSchema, uiTexts, locale, defaultLocale)
  const model = createFieldModel(local, ui)
  const title = [...cleanName(model.label)].slice(0, MAX_NAME_LENGTH).join('') || name
  return { title, schema: local, uiSchema: ui, model }
}
