/** An automation of the recipe: its trigger and its steps in words, its results, its runs. */
import {
  type Api,
  Cell,
  CodeBlock,
  crumbsOf,
  ErrorState,
  type Fact,
  Facts,
  Loading,
  Page,
  ResourceList,
  type ResourceScreenProps,
  Section,
  StateBadge,
  useGet,
  useResource,
  useScreenTexts,
  useSearch,
} from '../../public.ts'
import './automations.css'
import { texts } from './texts.ts'
import { conditionTexts, triggerTexts, waitTexts } from './words.ts'

const REFRESH_MS = 10_000

export default function AutomationScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const runs = useResource('automations', 'runs')
  const search = useSearch()
  const { data, error, isPending, refetch } = useGet('/v1/automations/{key}', {
    path: { key: id },
    refreshMs: REFRESH_MS,
  })
  if (isPending) return <Loading />
  if (!data) return <ErrorState error={error} onRetry={refetch} />
  const facts: readonly Fact[] = [
    [t.key, 'key', data.key],
    [t.lastRun, 'lastRunAt', data.lastRunAt],
    [t.successRate, 'successRate', data.successRate],
    [t.openRuns, 'open', data.open],
    [t.nextTime, 'nextAt', data.nextAt],
  ]
  return (
    <Page
      title={data.label}
      crumbs={crumbsOf(resource)}
      badge={data.lastState && <StateBadge states={resource.states.lastState} value={data.lastState} />}
    >
      <div className="columns">
        <Section title={t.trigger}>
          <div className="panel automation-trigger">
            {triggerTexts(data, t).map((text, index) => (
              <p key={text} className={index === 0 ? undefined : 'muted'}>
                {text}
              </p>
            ))}
            <Conditions conditions={data.when} />
          </div>
        </Section>
        <Section title={t.figures}>
          <Facts facts={facts} words={resource} label={t.figures} />
        </Section>
      </div>
      <Section className="automation-section" title={t.steps}>
        <ol className="timeline panel">
          {data.definedSteps.map(step => (
            <DefinedStep key={step.position} step={step} />
          ))}
        </ol>
      </Section>
      {runs && (
        <Section className="automation-section" title={t.runs}>
          <ResourceList resource={runs} scope={{ 'filter[automation]': data.key }} search={search} />
        </Section>
      )}
    </Page>
  )
}

function Conditions({ conditions }: { readonly conditions: Readonly<Record<string, unknown>> }) {
  const t = useScreenTexts(texts)
  const sentences = conditionTexts(conditions, t)
  if (sentences.length === 0) return null
  return (
    <div className="automation-conditions">
      <span className="muted">{t.conditions}</span>
      <ul>
        {sentences.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

function DefinedStep({ step }: { readonly step: Api.AutomationDefinedStep }) {
  const t = useScreenTexts(texts)
  const { position, action, title, name, when, each, continues, input } = step
  const isAction = action !== 'wait' && action !== 'ask'
  return (
    <li className="timeline-entry">
      <span className="timeline-mark" aria-hidden>
        {position + 1}
      </span>
      <div className="timeline-body">
        <header className="row">
          <strong>{title}</strong>
          {isAction && <code>{action}</code>}
          {name !== null && <code className="muted">{name}</code>}
        </header>
        {!isAction && waitTexts(action, input, t).map(text => <p key={text}>{text}</p>)}
        {each !== null && <p className="muted">{t.eachItem.replace('{list}', each)}</p>}
        <Conditions conditions={when} />
        {continues && <p className="muted">{t.continues}</p>}
        {isAction && Object.keys(input).length > 0 && <Written input={input} />}
      </div>
    </li>
  )
}

/** The input as the recipe writes it: placeholders are code. */
const Written = ({ input }: { readonly input: Readonly<Record<string, unknown>> }) => (
  <dl className="properties nested">
    {Object.entries(input).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {typeof value === 'object' && value !== null ? (
            <CodeBlock text={JSON.stringify(value, null, 2)} />
          ) : typeof value === 'string' && value.startsWith('$') ? (
            <code>{value}</code>
          ) : (
            <Cell name={name} value={value} />
          )}
        </dd>
      </div>
    ))}
  </dl>
)
