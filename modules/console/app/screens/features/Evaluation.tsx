/**
 * The value of a flag for the caller or another member and a context, and why. Operators evaluate flags that apply to
 * every workspace for members of any workspace.
 */

import { type FormEvent, useCallback, useRef, useState } from 'react'
import {
  type Api,
  api,
  Button,
  CodeEditor,
  Failure,
  FilterSelect,
  fill,
  parseJson,
  type RecordTabProps,
  useAction,
  usePermissions,
} from '../../public.ts'
import { MemberOfAnyWorkspace, MemberPicker } from './MemberPicker.tsx'
import { valueText } from './rules.ts'
import { useFeatureTexts } from './texts.ts'
import './features.css'

/** Variants without a name in the rule. */
const UNNAMED = /^(default|override|rule-\d+)$/

export default function Evaluation({ record }: RecordTabProps) {
  const c = useFeatureTexts()
  const [text, setText] = useState('{\n  "targetingKey": "user-1"\n}')
  const [outcome, setOutcome] = useState<Api.FlagEvaluation>()
  const [failure, setFailure] = useState<unknown>()
  const [subject, setSubject] = useState<'me' | 'member' | 'anywhere'>('me')
  const [tenantId, setTenantId] = useState('')
  const [userId, setUserId] = useState('')
  const [searches, setSearches] = useState(0)
  /** An answer to an earlier question may be about another person than the one who is shown when it arrives. */
  const question = useRef(0)
  const { may } = usePermissions()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const ruleNumber = String(Number(outcome?.metadata.rule) + 1)
  const reasons: Readonly<Record<string, string>> = {
    disabled: c.disabled,
    prerequisite: fill(c.prerequisite, { key: String(outcome?.metadata.prerequisite) }),
    override: c.overrideReason,
    entitlement: fill(c.entitlement, { key: String(outcome?.metadata.entitlement) }),
    rule: fill(c.ruleReason, { number: ruleNumber }),
    default: c.default,
  }
  const key = String(record.key)
  const mayMember = may('identity.member.read') && may('features.feature.read')
  const mayAnywhere = record.managedBy !== null && may('features.product.manage') && may('identity.tenant.read_all')
  const forget = useCallback(() => {
    question.current++
    setOutcome(undefined)
    setFailure(undefined)
  }, [])
  const evaluate = (event: FormEvent) => {
    event.preventDefault()
    forget()
    const asked = question.current
    const isCurrent = () => asked === question.current
    const context = parseObject(text)
    run(async () => {
      if (!context) throw new Error(c.invalidContext)
      const answer =
        subject === 'me'
          ? evaluateForCaller(key, context)
          : explain(key, subject === 'anywhere' ? tenantId : null, userId, context)
      try {
        const evaluation = await answer
        if (isCurrent()) setOutcome(evaluation)
      } catch (failure) {
        if (isCurrent()) throw failure
      }
    })
  }
  const chooseUser = useCallback(
    (chosen: string) => {
      setUserId(chosen)
      forget()
    },
    [forget],
  )
  const chooseTenant = useCallback(
    (chosen: string) => {
      setTenantId(chosen)
      chooseUser('')
    },
    [chooseUser],
  )
  const countSearches = useCallback((change: 1 | -1) => setSearches(count => count + change), [])
  return (
    <div className="form">
      {/* Outside of the form: Enter in a search would evaluate for somebody whom its answer replaces. */}
      {(mayMember || mayAnywhere) && (
        <div className="toolbar">
          <FilterSelect
            label={c.evaluateFor}
            value={subject}
            all={null}
            options={[
              ['me', c.forMyself],
              ...(mayMember ? [['member', c.forMember] as const] : []),
              ...(mayAnywhere ? [['anywhere', c.forAnyone] as const] : []),
            ]}
            onChange={chosen => {
              setSubject(chosen as typeof subject)
              chooseUser('')
            }}
          />
          {subject === 'member' && (
            <MemberPicker tenantId={null} value={userId} onChange={chooseUser} onProgress={countSearches} />
          )}
          {subject === 'anywhere' && (
            <MemberOfAnyWorkspace
              tenantId={tenantId}
              userId={userId}
              onTenant={chooseTenant}
              onUser={chooseUser}
              onProgress={countSearches}
            />
          )}
        </div>
      )}
      <form className="form" onSubmit={evaluate}>
        <div className="field">
          <span className="label">{c.context}</span>
          <CodeEditor label={c.context} language="json" value={text} onChange={setText} />
          <p className="hint">{subject === 'me' ? c.contextHint : c.contextOfMemberHint}</p>
        </div>
        <div className="form-actions">
          <Button
            kind="primary"
            type="submit"
            isDisabled={isBusy || (subject !== 'me' && (userId === '' || searches > 0))}
          >
            {c.evaluate}
          </Button>
        </div>
        <Failure error={failure} />
        {outcome && (
          <section className="card outcome panel" role="status">
            <h2>
              <code>{valueText(outcome.value)}</code>
            </h2>
            <p>{reasons[String(outcome.metadata.source)] ?? outcome.reason}</p>
            {!UNNAMED.test(outcome.variant) && <p className="muted">{fill(c.variant, { name: outcome.variant })}</p>}
          </section>
        )}
      </form>
    </div>
  )
}

async function evaluateForCaller(key: string, context: Api.EvaluationContext): Promise<Api.FlagEvaluation> {
  return (await api.post('/v1/features/{key}/evaluate', { path: { key }, body: { context } })).body
}

/** @param tenantId the workspace of the member, or null for that of the console */
async function explain(
  key: string,
  tenantId: string | null,
  userId: string,
  context: Api.EvaluationContext,
): Promise<Api.FlagEvaluation> {
  const body = { userId, context, keys: [key] }
  const answer = await (tenantId === null
    ? api.post('/v1/features/explain', { body })
    : api.post('/v1/features/admin/tenants/{id}/explain', { path: { id: tenantId }, body }))
  const [outcome] = answer.body.flags
  if (!outcome || 'errorCode' in outcome) throw new Error(outcome?.errorDetails ?? outcome?.errorCode)
  return outcome
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
