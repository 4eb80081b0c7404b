/** Environment variables and options of modules, with the values in use. */

import {
  type Api,
  areaCrumbs,
  Badge,
  FilterSelect,
  folded,
  InlineCode,
  ListContent,
  NoMatches,
  Page,
  TypedInput,
  useFilterChange,
  useGet,
  useScreenTexts,
  useSearch,
  useTexts,
} from '../../public.ts'
import './settings.css'
import { texts } from './texts.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const matches = ({ id, description, value }: Api.Setting, q: string): boolean =>
  folded(`${id} ${description ?? ''} ${textOf(value)}`).includes(folded(q))

export default function Settings() {
  const t = useTexts()
  const c = useScreenTexts(texts)
  const show = useFilterChange()
  const { q = '', filters = {} } = useSearch()
  const { source = '', owner = '' } = filters
  const list = useGet('/v1/platform/settings')
  const all = list.data?.data ?? []
  const rows = all.filter(
    setting =>
      (source === '' || setting.source === source) && (owner === '' || setting.owner === owner) && matches(setting, q),
  )
  const sources = { environment: c.fromEnvironment, recipe: c.fromRecipe, default: c.fromDefault }
  const owners = [...new Set(all.map(setting => setting.owner))].sort()
  return (
    <Page title={c.settings} crumbs={areaCrumbs('platform')}>
      <p className="lead">{c.settingsHint}</p>
      <search className="toolbar">
        <TypedInput label={c.findSetting} value={q} onChange={text => show({ q: text })} />
        <FilterSelect
          label={c.source}
          value={source}
          options={Object.entries(sources)}
          onChange={chosen => show({ source: chosen })}
        />
        <FilterSelect
          label={c.owner}
          value={owner}
          options={owners.map(each => [each, each])}
          onChange={chosen => show({ owner: chosen })}
        />
      </search>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={<NoMatches onClear={() => show({ q: '', source: '', owner: '' })} />}
      >
        {owners
          .map(each => [each, rows.filter(setting => setting.owner === each)] as const)
          .filter(([, settings]) => settings.length > 0)
          .map(([each, settings]) => (
            <div key={each} className="settings">
              <h2 id={`settings-${each}`}>{each}</h2>
              <ul className="panel" aria-labelledby={`settings-${each}`}>
                {settings.map(setting => (
                  <li key={setting.id}>
                    <div>
                      <code className="setting-name">{setting.id}</code>
                      {setting.description !== null && (
                        <p className="muted">
                          <InlineCode text={setting.description} />
                        </p>
                      )}
                    </div>
                    <div className="setting-value">
                      {setting.value === null ? (
                        <span className="muted">{t('notSet')}</span>
                      ) : (
                        <code>{textOf(setting.value)}</code>
                      )}
                      <Badge text={setting.source} label={sources[setting.source]} />
                    </div>
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </ListContent>
    </Page>
  )
}
