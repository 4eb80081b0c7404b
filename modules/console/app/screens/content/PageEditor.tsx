/** Writes a page: text with preview, settings, versions. Also the form of a new page and of a new translation. */

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  type Answer,
  type Api,
  ConflictDialog,
  createTitle,
  crumbsOf,
  type DraftVersion,
  ErrorState,
  Failure,
  type Field,
  type FormValues,
  fieldErrors,
  fieldsOf,
  fill,
  formatNumber,
  formBody,
  InlineCode,
  Loading,
  Page,
  RecordScreen,
  type Resource,
  type ResourceScreenProps,
  recordPath,
  recordUrl,
  resourcePath,
  Tabs,
  tabOfMessages,
  toast,
  UnsavedChanges,
  useAction,
  useAddedTabs,
  useDocument,
  useDraft,
  useKeepRecord,
  useNavigate,
  useRecord,
  useRefresh,
  useSearch,
  useTexts,
} from '../../public.ts'
import { PageActions } from './PageActions.tsx'
import { PageStatus } from './PageList.tsx'
import { PageSettings } from './PageSettings.tsx'
import { slugFor } from './pages.ts'
import { excessOf } from './text-length.ts'
import { useContentTexts } from './texts.ts'
import { Versions } from './Versions.tsx'
import { type Cursor, Writing } from './Writing.tsx'
import './content.css'

const NO_SCOPE = {}
/** What was typed until the screen of a page that was just created replaced the form, by its id. */
const typedMeanwhile = new Map<string, FormValues>()
/** Where the cursor was in that form, by the id of the page. */
const cursorMeanwhile = new Map<string, Cursor>()
const FIELDS = ['title', 'slug', 'path', 'locale', 'body', 'template', 'seo']
const FIELDS_OF_TABS = {
  write: ['/title', '/body'],
  settings: ['/slug', '/path', '/locale', '/template', '/seo'],
}

export default function PageEditor({ resource, id }: ResourceScreenProps) {
  const search = useSearch()
  if (id !== '' && !resource.operations.update) return <RecordScreen resource={resource} id={id} search={search} />
  return <Loader key={id} resource={resource} id={id} initial={search.with ?? {}} />
}

interface LoaderProps {
  readonly resource: Resource
  readonly id: string
  /** Values of a new page: slug and locale of a translation. */
  readonly initial: Readonly<Record<string, string>>
}

function Loader({ resource, id, initial }: LoaderProps) {
  const { data: document } = useDocument()
  const { data: loaded, error, refetch } = useRecord<'/v1/content/pages/{id}'>(resource, id)
  const isNew = id === ''
  if (error && !loaded) return <ErrorState error={error} onRetry={refetch} />
  if (!document || (!isNew && !loaded)) return <Loading />
  const operation = isNew ? resource.operations.create : resource.operations.update
  const fields = fieldsOf(resource, operation?.id, document, FIELDS)
  return <Editor resource={resource} id={id} initial={initial} fields={fields} loaded={loaded} />
}

interface EditorProps extends LoaderProps {
  readonly fields: readonly Field[]
  readonly loaded: Answer<Api.Page> | undefined
}

function Editor({ resource, id, initial, fields, loaded }: EditorProps) {
  const t = useTexts()
  const c = useContentTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const addedTabs = useAddedTabs()
  const keep = useKeepRecord(resource)
  const isNew = id === ''
  const created = useRef('')
  const typed = Object.entries(typedMeanwhile.get(id) ?? {}).filter(([name]) =>
    fields.some(field => field.name === name),
  )
  const start: FormValues = isNew ? initial : Object.fromEntries(typed)
  const draft = useDraft({ resource, id, scope: NO_SCOPE, fields, loaded, initial: start })
  const { values, version, isDirty } = draft
  const [tab, setTab] = useState('write')
  const [failure, setFailure] = useState<unknown>()
  const onFailure = (failed: unknown) => {
    setFailure(failed)
    setTab(selected => tabOfMessages(FIELDS_OF_TABS, fieldErrors(failed), selected))
  }
  const { isBusy, run } = useAction({ onFailure })
  const page = version.body
  useEffect(() => {
    typedMeanwhile.delete(id)
    cursorMeanwhile.delete(id)
  }, [id])
  const keepCursor = (cursor: Cursor | undefined) => {
    if (created.current !== '' && cursor) cursorMeanwhile.set(created.current, cursor)
  }
  useLayoutEffect(() => {
    if (created.current !== '') typedMeanwhile.set(created.current, values)
  }, [values])

  // A newer version is shown unless something was typed; otherwise it is merged when the page is saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each loaded version
  useEffect(() => {
    if (loaded && !isDirty && loaded.etag !== version.etag) draft.adopt(loaded)
  }, [loaded])

  /** The saved version; undefined if there is a conflict. */
  async function store(typed: FormValues, from: DraftVersion<Api.Page>): Promise<DraftVersion<Api.Page> | undefined> {
    const { create, update } = resource.operations
    const operation = isNew ? create : update
    if (!operation) return undefined
    const complete = isNew && typed.slug === '' ? { ...typed, slug: await slugFor(String(typed.title)) } : typed
    const excess = excessOf(String(typed.body), fields.find(({ name }) => name === 'body')?.schema.maxLength)
    // The server refuses requests of this size without reading them.
    if (excess)
      throw new Error(fill(c.tooLong, { count: formatNumber(excess.count), limit: formatNumber(excess.limit) }))
    const { body } = formBody(fields, complete, isNew ? undefined : from.values)
    const path = isNew ? operation.path : recordPath(operation, NO_SCOPE, id)
    const saved = await draft.send({ method: operation.method, path, body }, from)
    if (!saved) return undefined
    if (isNew) created.current = saved.body.id
    const next = draft.adopt(saved, typed)
    if (isNew) {
      keep(created.current, saved)
      await navigate({ to: recordUrl(resource, created.current), replace: true, ignoreBlocker: true })
    }
    await refresh()
    return next
  }
  const save = (typed = values, from = version) =>
    run(async () => {
      if (await store(typed, from)) toast(c.draftSaved)
    })

  const publish = (publishAt?: string) =>
    run(async () => {
      const action = resource.actions.find(({ id: operation }) => operation === 'publishPage')
      const current = isDirty ? await store(values, version) : version
      if (!action || !current) return
      const body = publishAt ? { publishAt } : {}
      const published = await draft.send(
        { method: action.method, path: recordPath(action, NO_SCOPE, id), body },
        current,
      )
      if (!published) return
      draft.adopt(published, current.values)
      toast(publishAt ? c.pageScheduled : c.pagePublished)
      await refresh()
    })

  const errors = fieldErrors(failure)
  const title = String(values.title) || (isNew ? createTitle(resource, t) : (page?.title ?? ''))
  const isReadOnly = page !== undefined && !page.editable
  const edit = { fields, values, errors, isReadOnly, onChange: draft.setValues }
  return (
    <Page
      title={title}
      crumbs={crumbsOf(resource)}
      badge={page && <PageStatus page={page} />}
      actions={
        <PageActions
          resource={resource}
          page={page}
          isReadOnly={isReadOnly}
          isDirty={isDirty}
          isBusy={isBusy}
          onSave={() => save()}
          onPublish={publish}
          onDeleted={() => navigate({ to: resourcePath(resource), ignoreBlocker: true })}
        />
      }
    >
      {isReadOnly && (
        <p className="notice info">
          <InlineCode text={fill(c.pageFromRecipe, { line: `pages.${page.slug}.editable: true` })} />
        </p>
      )}
      <Failure error={failure} fields={Object.values(FIELDS_OF_TABS).flat()} />
      <Tabs
        label={title}
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'write',
            title: c.write,
            render: () => (
              <Writing
                {...edit}
                resource={resource}
                page={page}
                startCursor={() => cursorMeanwhile.get(id)}
                onLeave={keepCursor}
              />
            ),
          },
          { id: 'settings', title: c.settings, render: () => <PageSettings {...edit} /> },
          ...(page
            ? [
                {
                  id: 'versions',
                  title: c.versions,
                  render: () => (
                    <Versions
                      page={page}
                      text={String(values.body)}
                      etag={version.etag}
                      isReadOnly={isReadOnly}
                      onRestored={saved => {
                        draft.adopt(saved)
                        refresh()
                        setTab('write')
                      }}
                    />
                  ),
                },
              ]
            : []),
          ...(page ? addedTabs(resource, page) : []),
        ]}
      />
      <ConflictDialog draft={draft} onSave={save} />
      <UnsavedChanges isDirty={isDirty} />
    </Page>
  )
}
