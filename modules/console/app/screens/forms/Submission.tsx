/** One submission: its answers, whether it is spam, and what the team adds, such as a note. */

import { useState } from 'react'
import {
  type Answer,
  type Api,
  api,
  Button,
  crumbsOf,
  ErrorState,
  type Fact,
  Facts,
  type Field,
  Form,
  factsIn,
  factsOf,
  factsWithout,
  fieldErrors,
  fieldsOf,
  formatDate,
  formBody,
  invalidTexts,
  Loading,
  Page,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  recordPath,
  recordUrl,
  type Scope,
  Section,
  useAction,
  useDocument,
  useDraft,
  useNavigate,
  useRecord,
  useRefresh,
  useResource,
  useSearch,
  useTexts,
} from '../../public.ts'
import { answerIn, answersOf, pathOf, reasonText } from './submissions.ts'
import { useFormTexts } from './texts.ts'
import './forms.css'

/** At a place of their own, or not on this screen. */
const ELSEWHERE = ['id', 'formId', 'formVersion', 'data', 'createdAt', 'createdBy', 'meta', 'spam', 'spamReason']

export default function SubmissionScreen({ resource, id }: ResourceScreenProps) {
  const search = useSearch()
  const forms = useResource('forms', 'forms')
  if (!forms) return null
  return <SubmissionView resource={resource} forms={forms} id={id} formId={search.with?.id ?? ''} />
}

interface Props {
  readonly resource: Resource
  readonly forms: Resource
  readonly id: string
  readonly formId: string
}

function SubmissionView({ resource, forms, id, formId }: Props) {
  const c = useFormTexts()
  const navigate = useNavigate()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const scope = { id: formId }
  const { data: document } = useDocument()
  const form = useRecord<'/v1/forms/{id}'>(forms, formId)
  const { data, error, refetch } = useRecord<'/v1/forms/{id}/submissions/{sid}'>(resource, id, scope)
  const failure = error ?? form.error
  if (failure && !data) return <ErrorState error={failure} onRetry={refetch} />
  if (!data || !form.data) return <Loading />
  const record = form.data.body
  const submission = data.body
  const { update } = resource.operations
  const fields = document ? fieldsOf(resource, update?.id, document).filter(({ name }) => name !== 'spam') : []
  const facts: readonly Fact[] = [
    [c.submittedBy, 'createdBy', submission.createdBy ?? c.visitor],
    ...factsIn(resource, submission, ['formVersion']),
    ...factsWithout(resource, submission, [...ELSEWHERE, ...fields.map(({ name }) => name)]),
    ...factsOf(submission.meta),
  ]
  const formUrl = recordUrl(forms, formId)
  const change = (body: Api.UpdateSubmissionInput, message: string) =>
    run(async () => {
      await api.patch('/v1/forms/{id}/submissions/{sid}', { path: pathOf(submission), body })
    }, message)
  return (
    <Page
      title={formatDate(submission.createdAt)}
      crumbs={[...crumbsOf({ ...forms, within: null }), { title: record.name, href: formUrl }]}
      badge={submission.spam && <span className="badge danger">{c.spam}</span>}
      actions={
        <>
          <RecordCommands
            resource={resource}
            scope={scope}
            record={data.body}
            label={c.submission}
            onDeleted={() => navigate({ to: formUrl, search: { tab: 'submissions' } })}
          />
          {update && (
            <Button
              icon={submission.spam ? 'check' : 'shield-alert'}
              isDisabled={isBusy}
              onPress={() => change({ spam: !submission.spam }, submission.spam ? c.markedNotSpam : c.markedSpam)}
            >
              {submission.spam ? c.notSpam : c.markSpam}
            </Button>
          )}
        </>
      }
    >
      {submission.spamReason && <p className="notice warning">{reasonText(submission.spamReason, c)}</p>}
      <div className="columns">
        <Section title={c.answers}>
          <dl className="answers">
            {answersOf(record).map(column => (
              <div key={column.path.join('.')}>
                <dt>{column.title}</dt>
                <dd>{answerIn(submission.data, column, c) || <span className="muted">–</span>}</dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section title={c.details}>
          <Facts facts={facts} words={resource} isFull />
          {update && fields.length > 0 && (
            <Changes key={id} resource={resource} update={update} scope={scope} fields={fields} loaded={data} />
          )}
        </Section>
      </div>
    </Page>
  )
}

interface ChangesProps {
  readonly resource: Resource
  readonly update: Api.ResourceOperation
  readonly scope: Scope
  readonly fields: readonly Field[]
  readonly loaded: Answer<Api.Submission>
}

/** What the team writes to a submission. */
function Changes({ resource, update, scope, fields, loaded }: ChangesProps) {
  const t = useTexts()
  const refresh = useRefresh(resource)
  const [failure, setFailure] = useState<unknown>()
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map())
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const draft = useDraft({ resource, id: loaded.body.id, scope, fields, loaded })
  function save() {
    const { values, version } = draft
    const { body, invalid: wrong } = formBody(fields, values, version.values)
    setInvalid(invalidTexts(wrong, t))
    setFailure(undefined)
    if (wrong.length > 0) return
    const path = recordPath(update, scope, loaded.body.id)
    run(async () => {
      const saved = await draft.send({ method: 'PATCH', path, body }, version)
      if (saved) draft.adopt(saved, values)
      await refresh()
    }, t('saved'))
  }
  return (
    <div className="submission-changes">
      <Form
        fields={fields}
        values={draft.values}
        errors={new Map([...fieldErrors(failure), ...invalid])}
        isChange
        failure={failure}
        onChange={draft.setValues}
        onSubmit={save}
      >
        <Button type="submit" isDisabled={isBusy || !draft.isDirty}>
          {t('save')}
        </Button>
      </Form>
    </div>
  )
}
