/** The fields that the recipe adds to people and to members. */

import { useState } from 'react'
import {
  type Api,
  api,
  Button,
  CollectionCell,
  type CollectionField,
  Dialog,
  Form,
  type FormValues,
  fieldErrors,
  formBody,
  formFields,
  formValues,
  invalidTexts,
  type JsonSchema,
  type LocalText,
  languageStore,
  pickText,
  useAction,
  useDocument,
  useTexts,
  withCollection,
} from '../../public.ts'
import { useIdentityTexts } from './texts.ts'

export type ProfileValues = Readonly<Record<string, unknown>>
interface ProfileField extends CollectionField {
  readonly label: LocalText
}
interface ProfileSchema extends JsonSchema {
  readonly 'x-larder-fields'?: Readonly<Record<string, ProfileField>>
}
/** The name of a schema in the API document. */
type SchemaName = 'UserProfileFields' | 'MemberProfileFields'

const titleOf = ({ label }: ProfileField): string => pickText(label, languageStore.get(), 'en')

/** Empty without such fields in the recipe. */
function useProfileFields(name: SchemaName): Readonly<Record<string, ProfileField>> {
  const { data: document } = useDocument()
  return (document?.schemas[name] as ProfileSchema | undefined)?.['x-larder-fields'] ?? {}
}

/** The values of a member in one line: those that are set. */
export function MemberProfile({ values }: { readonly values: ProfileValues }) {
  const fields = Object.entries(useProfileFields('MemberProfileFields')).filter(([name]) => (values[name] ?? '') !== '')
  if (fields.length === 0) return null
  return (
    <p className="muted">
      {fields.map(([name, field], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          {titleOf(field)}: <CollectionCell name={name} field={field} value={values[name]} />
        </span>
      ))}
    </p>
  )
}

interface Props {
  readonly values: ProfileValues
  readonly userId: string
  readonly mayChange: boolean
  readonly onDone: () => unknown
}

/** Nothing without such fields. */
export function PersonProfile({ values, userId, mayChange, onDone }: Props) {
  const t = useTexts()
  const c = useIdentityTexts()
  const [isEditing, setEditing] = useState(false)
  const fields = Object.entries(useProfileFields('UserProfileFields'))
  if (fields.length === 0) return null
  return (
    <section aria-labelledby="person-profile">
      <div className="row profile-head">
        <h2 id="person-profile">{c.profile}</h2>
        {mayChange && (
          <Button label={`${t('edit')}: ${c.profile}`} onPress={() => setEditing(true)}>
            {t('edit')}
          </Button>
        )}
      </div>
      <dl className="properties panel">
        {fields.map(([name, field]) => (
          <div key={name}>
            <dt>{titleOf(field)}</dt>
            <dd>
              <CollectionCell name={name} field={field} value={values[name]} />
            </dd>
          </div>
        ))}
      </dl>
      <Dialog title={c.profile} isOpen={isEditing} onClose={() => setEditing(false)} size="large">
        <ProfileForm values={values} userId={userId} onDone={onDone} onClose={() => setEditing(false)} />
      </Dialog>
    </section>
  )
}

type FormProps = Omit<Props, 'mayChange'> & { readonly onClose: () => void }

function ProfileForm({ values, userId, onDone, onClose }: FormProps) {
  const t = useTexts()
  const { data: document } = useDocument()
  const sources = useProfileFields('UserProfileFields')
  const schemas = document?.schemas ?? {}
  const plain = formFields(schemas.UpdateUserProfileFields ?? {}, schemas)
  const fields = withCollection(plain, { fields: sources }).map(field => {
    const source = sources[field.name]
    return { ...field, title: source && titleOf(source), description: undefined }
  })
  const [before] = useState(() => formValues(fields, values))
  const [typed, setTyped] = useState<FormValues>(before)
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onDone, onFailure: setFailure })
  async function save() {
    const { body, invalid } = formBody(fields, typed, before)
    setErrors(invalidTexts(invalid, t))
    if (invalid.length > 0) return
    // The recipe says which fields a profile has.
    const profile = body as Api.UpdateUserProfileFields
    const done = await run(
      () => api.patch('/v1/identity/admin/users/{id}', { path: { id: userId }, body: { profile } }),
      t('saved'),
    )
    if (done) onClose()
  }
  const refused = [...fieldErrors(failure)].map(([pointer, text]) => [pointer.replace(/^\/profile/, ''), text] as const)
  return (
    <Form
      fields={fields}
      values={typed}
      errors={new Map([...refused, ...errors])}
      failure={failure}
      isChange
      onChange={setTyped}
      onSubmit={save}
    >
      <Button onPress={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" isDisabled={isBusy}>
        {t('save')}
      </Button>
    </Form>
  )
}
