/** A form: its questions, settings, submissions and results. Also the form of a new one. */

import { useState } from 'react'
import {
  type Answer,
  type Api,
  Badge,
  Button,
  ConflictDialog,
  createTitle,
  crumbsOf,
  ErrorState,
  Failure,
  type Field,
  fieldErrors,
  fieldsOf,
  formBody,
  isSame,
  Loading,
  Page,
  productLocales,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  recordPath,
  recordUrl,
  resourcePath,
  type TabPart,
  Tabs,
  tabOfMessages,
  toast,
  UnsavedChanges,
  useAction,
  useAddedTabs,
  useDocument,
  useDraft,
  useNavigate,
  useRecord,
  useRefresh,
  useResource,
  useSearch,
  useTexts,
} from '../../public.ts'
import { Builder } from './Builder.tsx'
import { Charts } from './Charts.tsx'
import { toSchemas } from './form-schema.ts'
import { type FormState, mergedState, modelOf, stateOf, valuesOf } from './form-state.ts'
import { Settings } from './Settings.tsx'
import { Submissions } from './Submissions.tsx'
import { useFormTexts } from './texts.ts'
import './forms.css'

const FIELDS = ['name', 'access', 'schema', 'uiSchema', 'notify', 'allowedOrigins']
const FIELDS_OF_TABS = {
  build: ['/schema', '/uiSchema'],
  settings: ['/name', '/access', '/notify', '/allowedOrigins'],
}

export default function FormScreen({ resource, id }: ResourceScreenProps) {
  const { data: document } = useDocument()
  const isNew = id === ''
  const { data: loaded, error, refetch } = useRecord<'/v1/forms/{id}'>(resource, id)
  if (error && !loaded) return <ErrorState error={error} onRetry={refetch} />
  if (!document || (!isNew && !loaded)) return <Loading />
  const fields = fieldsOf(resource, isNew ? 'createForm' : 'updateForm', document, FIELDS)
  return <Editor key={id} resource={resource} id={id} fields={fields} loaded={loaded} />
}
interface Props {
  readonly resource: Resource
  readonly id: string
  readonly fields: readonly Field[]
  readonly loaded: Answer<Api.Form> | undefined
}
const NO_SCOPE = {}

function Editor({ resource, id, fields, loaded }: Props) {
  const t = useTexts()
  const c = useFormTexts()
  const navigate = useNavigate()
  const search = useSearch()
  const refresh = useRefresh(resource)
  const submissions = useResource('forms', 'submissions')
  const [state, setState] = useState<FormState>(() => stateOf(loaded?.body))
  const [first] = useState(() => valuesOf(state))
  const [locale, setLocale] = useState<string>(productLocales.default)
  const [failure, setFailure] = useState<unknown>()
  const select = (tab: string) =>
    navigate({ to: '.', search: tab === 'build' ? {} : { tab }, replace: true, ignoreBlocker: true })
  const onFailure = (failed: unknown) => {
    setFailure(failed)
    const current = search.tab ?? 'build'
    const tab = tabOfMessages(FIELDS_OF_TABS, fieldErrors(failed), current)
    if (tab !== current) select(tab)
  }
  const { isBusy, run } = useAction({ onFailure })
  const isNew = id === ''
  const draft = useDraft({ resource, id, scope: NO_SCOPE, fields, loaded: loaded && asWritten(loaded), initial: first })
  const record = draft.version.body
  const operation = isNew ? resource.operations.create : resource.operations.update
  const isManaged = record?.managedBy === 'recipe'
  const isReadOnly = !operation || isManaged
  const isDirty = !isReadOnly && (isNew ? !isSame(draft.values, first) : draft.isDirty)
  const change = (next: FormState) => {
    setState(next)
    draft.setValues(valuesOf(next))
  }

  const save = (typed = draft.values, from = draft.version) =>
    run(async () => {
      if (!operation) return
      const { body } = formBody(fields, typed, isNew ? undefined : from.values)
      const path = isNew ? operation.path : recordPath(operation, NO_SCOPE, id)
      const saved = await draft.send({ method: operation.method, path, body }, from)
      if (!saved) return
      toast(isNew ? c.created : c.saved)
      setState(stateOf(saved.body))
      draft.adopt(asWritten(saved))
      await refresh()
      if (isNew) navigate({ to: recordUrl(resource, saved.body.id), replace: true, ignoreBlocker: true })
    })

  const addedTabs = useAddedTabs()
  const errors = fieldErrors(failure)
  const edit = { state, errors, isReadOnly, onChange: change, locale, onLocale: setLocale }
  const tabs: TabPart[] = [
    { id: 'build', title: c.build, render: () => <Builder {...edit} /> },
    { id: 'settings', title: c.settings, render: () => <Settings {...edit} resource={resource} record={record} /> },
    ...(record && submissions
      ? [
          {
            id: 'submissions',
            title: c.submissions,
            render: () => <Submissions resource={submissions} form={record} />,
          },
          { id: 'results', title: c.charts, render: () => <Charts form={record} /> },
        ]
      : []),
    ...(record ? addedTabs(resource, record) : []),
  ]
  const selected = tabs.find(tab => tab.id === search.tab)?.id ?? 'build'
  const title = state.name || (isNew ? c.newForm : c.untitled)
  const copyUrl = async () => {
    await navigator.clipboard.writeText(record?.url ?? '')
    toast(c.copied)
  }
  return (
    <Page
      title={title}
      crumbs={crumbsOf(resource)}
      badge={
        record && <Badge text={record.access} label={record.access === 'public' ? c.accessPublic : c.accessTenant} />
      }
      actions={
        <>
          {isDirty && <span className="muted">{c.unsaved}</span>}
          {record && (
            <>
              <Button kind="quiet" icon="link" label={c.copyUrl} onPress={copyUrl} />
              <a className="button quiet" href={record.url} target="_blank" rel="noopener noreferrer">
                {c.view}
              </a>
            </>
          )}
          {record && !isManaged && (
            <RecordCommands
              resource={resource}
              record={record}
              label={title}
              onDeleted={() => navigate({ to: resourcePath(resource), ignoreBlocker: true })}
            />
          )}
          {!isReadOnly && (
            <Button kind="primary" isDisabled={isBusy || (!isDirty && !isNew)} onPress={() => save()}>
              {isNew ? createTitle(resource, t, 'createSubmit') : t('save')}
            </Button>
          )}
        </>
      }
    >
      {isReadOnly && !isNew && <p className="notice">{isManaged ? c.fromRecipe : c.readOnly}</p>}
      <Failure error={failure} fields={FIELDS_OF_TABS.settings} />
      <Tabs label={title} tabs={tabs} selected={selected} onSelect={select} />
      <ConflictDialog
        draft={draft}
        onSave={(merged, current) => {
          setState(mergedState(merged))
          save(merged, current)
        }}
      />
      <UnsavedChanges isDirty={isDirty} />
    </Page>
  )
}

/** With schemas as the builder writes them, so that another order of keywords is no change. */
const asWritten = (answer: Answer<Api.Form>): Answer<Api.Form> => ({
  ...answer,
  body: { ...answer.body, ...toSchemas(modelOf(answer.body)) },
})
