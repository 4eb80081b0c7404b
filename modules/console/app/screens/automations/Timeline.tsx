/** What happened in a run, in its order. */
import { type Api, Badge, CodeBlock, Facts, factsOf, fill, Icon, RecordName, useScreenTexts } from '../../public.ts'
import { type Texts, texts } from './texts.ts'
import { durationText, formatSecond, waitTexts } from './words.ts'

/** Items of a step that are shown. */
const MAX_ITEMS = 100

const TRIGGER_ICONS = { event: 'zap', schedule: 'calendar-clock', date: 'calendar', button: 'play', hook: 'webhook' }
const STATES = {
  running: ['refresh-cw', 'neutral', 'stepRunning'],
  waiting: ['clock', 'warning', 'stepWaiting'],
  done: ['check', 'success', 'stepDone'],
  passed: ['chevron-right', 'neutral', 'stepPassed'],
  failed: ['x', 'danger', 'stepFailed'],
  cancelled: ['x', 'neutral', 'stepCancelled'],
} as const satisfies Record<Api.AutomationStep['state'], readonly [string, string, keyof Texts]>

export function Timeline({ run }: { readonly run: Api.AutomationRunDetails }) {
  const t = useScreenTexts(texts)
  const { trigger, createdAt, input, steps, next, error, state } = run
  const positions = [...new Set(steps.map(({ position }) => position))]
  const hasFailedStep = steps.some(step => step.state === 'failed' && step.position === run.position)
  return (
    <ol className="timeline panel">
      <li className="timeline-entry">
        <Mark icon={TRIGGER_ICONS[trigger]} tone="neutral" />
        <div className="timeline-body">
          <header className="row">
            <strong>{t.started}</strong>
            <Time at={createdAt} />
          </header>
          <Values title={t.input} value={input} />
        </div>
      </li>
      {positions.map(position => (
        <StepEntry key={position} steps={steps.filter(step => step.position === position)} />
      ))}
      {error !== null && state === 'failed' && !hasFailedStep && (
        <li className="timeline-entry">
          <Mark icon="x" tone="danger" />
          <div className="timeline-body">
            <Failure error={error} />
          </div>
        </li>
      )}
      {next.map(({ position, title, action, name }) => (
        <li key={position} className="timeline-entry upcoming">
          <Mark icon="ellipsis" tone="neutral" />
          <div className="timeline-body">
            <header className="row">
              <span>{title}</span>
              {name !== null && <code>{name}</code>}
              {action.includes('.') && <code>{action}</code>}
              <span className="muted">{t.next}</span>
            </header>
          </div>
        </li>
      ))}
    </ol>
  )
}

const Mark = ({ icon, tone }: { readonly icon: string; readonly tone: string }) => (
  <span className={`timeline-mark ${tone}`}>
    <Icon name={icon} size={14} />
  </span>
)

const Time = ({ at }: { readonly at: string }) => (
  <time className="timeline-time" dateTime={at}>
    {formatSecond(at)}
  </time>
)

const Failure = ({ error }: { readonly error: Api.AutomationError }) => (
  <p className="notice danger">
    <code>{error.code}</code> {error.detail}
  </p>
)

/** @param steps the step, and its items. */
function StepEntry({ steps }: { readonly steps: readonly Api.AutomationStep[] }) {
  const t = useScreenTexts(texts)
  const items = steps.filter(({ item }) => item >= 0)
  const step = steps.find(({ item }) => item === -1) ?? items[0]
  if (!step) return null
  const { action, title, name, state, attempts, startedAt, finishedAt, error, input, output } = step
  const [icon, tone, word] = STATES[state]
  const isAction = action.includes('.')
  const failed = items.filter(each => each.state === 'failed').length
  // What a step with effects in the database does has one time.
  const duration = finishedAt === null || state === 'passed' ? 0 : Date.parse(finishedAt) - Date.parse(startedAt)
  return (
    <li className="timeline-entry">
      <Mark icon={icon} tone={tone} />
      <div className="timeline-body">
        <header className="row">
          <strong>{title}</strong>
          {isAction && <code>{action}</code>}
          {name !== null && <code className="muted">{name}</code>}
          <Badge text={state} label={t[word]} tone={tone} />
          <Time at={startedAt} />
        </header>
        <p className="muted row timeline-figures">
          {duration > 0 && <span>{durationText(duration, 'short')}</span>}
          {attempts > 1 && <span>{fill(t.attempts, { count: attempts })}</span>}
          {items.length > 0 && <span>{fill(t.items, { count: items.length })}</span>}
          {failed > 0 && <span className="failed">{fill(t.failedItems, { count: failed })}</span>}
        </p>
        {!isAction && waitTexts(action, input, t).map(text => <p key={text}>{text}</p>)}
        {action === 'ask' && <Answer output={output} />}
        {error !== null && <Failure error={error} />}
        {isAction && items.length === 0 && (
          <>
            <Values title={t.input} value={input} />
            <Values title={t.output} value={output} />
          </>
        )}
        {items.length > 0 && <Items items={items} />}
      </div>
    </li>
  )
}

function Answer({ output }: { readonly output: unknown }) {
  const t = useScreenTexts(texts)
  if (typeof output !== 'object' || output === null) return null
  const { choice, answeredBy } = output as { readonly choice: string | null; readonly answeredBy: string | null }
  if (choice === null) return <p>{t.timedOut}</p>
  return (
    <p>
      <strong>{fill(t.answered, { choice })}</strong>
      {answeredBy !== null && (
        <span className="muted">
          {' · '}
          {t.answeredBy} <RecordName id={answeredBy} />
        </span>
      )}
    </p>
  )
}

function Items({ items }: { readonly items: readonly Api.AutomationStep[] }) {
  const t = useScreenTexts(texts)
  const shown = items
    .toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
    .slice(0, MAX_ITEMS)
  return (
    <ol className="timeline-items">
      {shown.map(({ item, state, error, input, output }) => (
        <li key={item}>
          <details open={state === 'failed'}>
            <summary>
              {fill(t.item, { number: item + 1 })}{' '}
              <Badge text={state} label={t[STATES[state][2]]} tone={STATES[state][1]} />
            </summary>
            {error !== null && <Failure error={error} />}
            <Values title={t.input} value={input} />
            <Values title={t.output} value={output} />
          </details>
        </li>
      ))}
      {items.length > shown.length && (
        <li className="muted">{fill(t.moreItems, { count: items.length - shown.length })}</li>
      )}
    </ol>
  )
}

/** Closed, because values can be long. */
function Values({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === null || value === undefined) return null
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0
  if (isEmpty) return null
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return (
    <details className="timeline-values">
      <summary>{title}</summary>
      {isObject ? (
        <Facts facts={factsOf(value)} isFull depth={1} />
      ) : (
        <CodeBlock text={JSON.stringify(value, null, 2)} />
      )}
    </details>
  )
}
