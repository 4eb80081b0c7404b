/** An event with its payload and deliveries. */

import {
  type Api,
  api,
  Button,
  Cell,
  CodeBlock,
  type Column,
  ConfirmButton,
  crumbsOf,
  ErrorState,
  Facts,
  factsIn,
  fill,
  Loading,
  labelIn,
  labelOf,
  Page,
  type Resource,
  type ResourceScreenProps,
  ScreenLink,
  Section,
  StateBadge,
  Table,
  useAction,
  usePermissions,
  useRecord,
  useRefresh,
  useScreenTexts,
} from '../../public.ts'
import './platform.css'
import { texts } from './texts.ts'

const LOGS_PATH: string = '/platform/logs'

export default function EventScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const { data, error, isPending, refetch } = useRecord<'/v1/platform/events/{id}'>(resource, id)
  const { mayOnPlatform } = usePermissions()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const event = data.body
  const canReplay = resource.actions.some(action => action.id === 'replayEvent')
  const hasUnfinished = event.deliveries.some(({ state }) => state !== 'done')
  const replay = (force: boolean) => {
    const input = { path: { id }, query: { force: force || undefined } }
    return run(
      () => api.post('/v1/platform/events/{id}/replay', input),
      ({ body }) => fill(t.replayed, { count: body.deliveries }),
    )
  }
  const facts = [
    [labelIn(resource, 'type'), 'code', event.type] as const,
    [labelIn(resource, 'actor'), 'actor', event.actor.id] as const,
    ...factsIn(resource, event, ['occurredAt', 'subject', 'tenantId', 'correlationId']),
  ]
  return (
    <Page
      title={labelOf(resource, data.body)}
      crumbs={crumbsOf(resource)}
      actions={
        canReplay &&
        event.deliveries.length > 0 && (
          <>
            <ConfirmButton
              icon="refresh-cw"
              title={t.replayAll}
              text={t.replayAllText}
              confirm={t.replayAll}
              isBusy={isBusy}
              onConfirm={() => replay(true)}
            />
            {hasUnfinished && (
              <Button kind="primary" icon="play" isDisabled={isBusy} onPress={() => replay(false)}>
                {t.replay}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="columns">
        <Section title={t.details}>
          <Facts facts={facts} words={resource} />
          {event.correlationId !== null && mayOnPlatform('platform.log.read') && (
            <p>
              <ScreenLink className="plain" to={LOGS_PATH} search={{ filters: { request: event.correlationId } }}>
                {t.logOfRequest}
              </ScreenLink>
            </p>
          )}
        </Section>
        <Section title={t.payload}>
          <CodeBlock text={JSON.stringify(event.payload, null, 2)} />
        </Section>
      </div>
      <section className="platform-section">
        <h2>{t.deliveries}</h2>
        {event.deliveries.length === 0 ? (
          <p className="muted">{t.noDeliveries}</p>
        ) : (
          <Deliveries resource={resource} deliveries={event.deliveries} />
        )}
      </section>
    </Page>
  )
}

interface DeliveriesProps {
  readonly resource: Resource
  readonly deliveries: readonly Api.EventDelivery[]
}

function Deliveries({ resource, deliveries }: DeliveriesProps) {
  const t = useScreenTexts(texts)
  const columns: readonly Column<Api.EventDelivery>[] = [
    { id: 'handler', title: labelIn(resource, 'handler'), cell: ({ handler }) => handler },
    {
      id: 'state',
      title: labelIn(resource, 'state'),
      kind: 'state',
      cell: ({ state }) => <StateBadge states={resource.states.state} value={state} />,
    },
    { id: 'attempts', title: labelIn(resource, 'attempts'), kind: 'number', cell: ({ attempts }) => attempts },
    {
      id: 'nextAttemptAt',
      title: labelIn(resource, 'nextAttemptAt'),
      kind: 'time',
      cell: ({ state, nextAttemptAt }) => (
        <Cell name="nextAttemptAt" value={state === 'pending' ? nextAttemptAt : null} />
      ),
    },
    {
      id: 'lastError',
      title: labelIn(resource, 'lastError'),
      cell: ({ lastError }) => <Cell name="lastError" value={lastError} />,
    },
  ]
  return (
    <Table
      label={t.deliveries}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      rowLabel={({ handler }) => handler}
    />
  )
}
