/** The rules of a flag: conditions, rollout and result of each. */

import { useState } from 'react'
import {
  type Answer,
  type Api,
  api,
  Button,
  Failure,
  fill,
  inSentence,
  isStatus,
  Loading,
  MAX_PAGE,
  type RecordTabProps,
  type Resource,
  useAction,
  useGet,
  useRecord,
  useRefresh,
} from '../../public.ts'
import {
  type EditedCondition,
  type EditedRule,
  editRule,
  isList,
  newRule,
  otherAttributes,
  ruleOf,
  serverAttributeIn,
  valueText,
} from './rules.ts'
import { useFeatureTexts } from './texts.ts'
import { ValueField } from './ValueField.tsx'
import './features.css'

export default function Rules({ resource, record }: RecordTabProps<Api.Flag>) {
  const { data } = useRecord<'/v1/features/{key}'>(resource, record.key)
  return data ? <Editor resource={resource} loaded={data} /> : <Loading />
}

function Editor({ resource, loaded }: { readonly resource: Resource; readonly loaded: Answer<Api.Flag> }) {
  const c = useFeatureTexts()
  const flag = loaded.body
  const [rules, setRules] = useState(() => flag.rules.map(editRule))
  const [etag, setEtag] = useState(loaded.etag)
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource), onFailure: setFailure })
  const { update } = resource.operations
  const { type } = flag
  async function save() {
    const path = { key: flag.key }
    try {
      const body = { rules: rules.map(rule => ruleOf(rule, type)) }
      const saved = await api.patch('/v1/features/{key}', { path, body, etag })
      setEtag(saved.etag)
    } catch (error) {
      if (!isStatus(error, 412)) throw error
      setEtag((await api.get('/v1/features/{key}', { path })).etag)
      throw new Error(c.changedMeanwhile)
    }
  }
  const change = (index: number, next: Partial<EditedRule>) =>
    setRules(rules.map((rule, at) => (at === index ? { ...rule, ...next } : rule)))
  return (
    <div className="rules">
      <p className="muted">{fill(c.rulesText, { value: valueText(flag.default) })}</p>
      <Failure error={failure} />
      {rules.length === 0 && <p>{c.noRules}</p>}
      {rules.map((rule, index) => (
        <RuleForm
          key={rule.id}
          rule={rule}
          number={index + 1}
          type={type}
          bucketBy={flag.bucketBy}
          onChange={next => change(index, next)}
          onRemove={() => setRules(rules.toSpliced(index, 1))}
          onMoveUp={() => index > 0 && setRules(rules.toSpliced(index, 1).toSpliced(index - 1, 0, rule))}
        />
      ))}
      {update && (
        <div className="row">
          <Button
            icon="plus"
            onPress={() => setRules([...rules, newRule(type === 'boolean' ? 'true' : valueText(flag.default))])}
          >
            {c.addRule}
          </Button>
          <Button kind="primary" isDisabled={isBusy} onPress={() => run(save, c.rulesSaved)}>
            {c.saveRules}
          </Button>
        </div>
      )}
    </div>
  )
}

interface RuleProps {
  readonly rule: EditedRule
  readonly number: number
  readonly type: string
  readonly bucketBy: string
  readonly onChange: (next: Partial<EditedRule>) => void
  readonly onRemove: () => void
  readonly onMoveUp: () => void
}

function RuleForm({ rule, number, type, bucketBy, onChange, onRemove, onMoveUp }: RuleProps) {
  const c = useFeatureTexts()
  const { conditions } = rule
  const id = `rule-${rule.id}`
  const { data: flags } = useGet('/v1/features', { query: { limit: MAX_PAGE } })
  const attributes: Readonly<Record<string, string>> = c.attributes
  const others = otherAttributes(flags?.data ?? [], Object.keys(c.attributes))
  const hintOf = (attribute: string) => {
    const name = attribute.trim()
    if (name === '' || name in c.attributes || others.includes(name)) return undefined
    const meant = serverAttributeIn(name, Object.keys(c.attributes))
    return meant === undefined ? fill(c.unknownAttribute, { name }) : fill(c.meantAttribute, { name, meant })
  }
  const change = (index: number, next: Partial<EditedCondition>) =>
    onChange({ conditions: conditions.map((each, at) => (at === index ? { ...each, ...next } : each)) })
  return (
    <fieldset className="field group">
      <legend>{fill(c.rule, { number })}</legend>
      {conditions.length === 0 && <p className="muted">{c.everyone}</p>}
      <datalist id={`${id}-attributes`}>
        {Object.entries(c.attributes).map(([name, text]) => (
          <option key={name} value={name} label={text} />
        ))}
        {others.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.map((condition, index) => {
        const label = (text: string) =>
          `${text}: ${fill(c.rule, { number })}, ${fill(c.condition, { number: index + 1 })}`
        const hint = hintOf(condition.attribute)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity of their own
          <div className="flag-condition" key={index}>
            <input
              aria-label={label(c.attribute)}
              placeholder={c.attribute}
              list={`${id}-attributes`}
              aria-describedby={hint && `${id}-${index}-hint`}
              value={condition.attribute}
              onChange={event => change(index, { attribute: event.target.value })}
            />
            <select
              aria-label={label(c.operator)}
              value={condition.operator}
              onChange={event => change(index, { operator: event.target.value })}
            >
              {Object.entries(c.operators).map(([operator, text]) => (
                <option key={operator} value={operator}>
                  {text}
                </option>
              ))}
            </select>
            <input
              aria-label={label(c.operand)}
              placeholder={isList(condition.operator) ? c.listHint : c.operand}
              value={condition.operand}
              onChange={event => change(index, { operand: event.target.value })}
            />
            <Button
              kind="quiet"
              icon="trash-2"
              label={`${fill(c.removeCondition, { number: index + 1 })}, ${fill(c.rule, { number })}`}
              onPress={() => onChange({ conditions: conditions.toSpliced(index, 1) })}
            />
            {hint && (
              <p className="hint warning" id={`${id}-${index}-hint`} role="status">
                {hint}
              </p>
            )}
          </div>
        )
      })}
      <Button
        kind="quiet"
        icon="plus"
        onPress={() => onChange({ conditions: [...conditions, { attribute: '', operator: 'eq', operand: '' }] })}
      >
        {c.addCondition}
      </Button>
      <div className="field">
        <label htmlFor={`${id}-rollout`}>{c.rollout}</label>
        <div className="row rollout">
          <input
            id={`${id}-rollout`}
            type="range"
            min={0}
            max={100}
            value={rule.rollout}
            onChange={event => onChange({ rollout: Number(event.target.value) })}
          />
          <output htmlFor={`${id}-rollout`}>
            {fill(c.rolloutText, { percent: rule.rollout, attribute: inSentence(attributes[bucketBy] ?? bucketBy) })}
          </output>
        </div>
      </div>
      <ValueField label={c.result} type={type} value={rule.value} onChange={value => onChange({ value })} />
      <div className="row">
        {number > 1 && (
          <Button kind="quiet" icon="arrow-up" label={fill(c.moveRuleUp, { number })} onPress={onMoveUp} />
        )}
        <Button kind="quiet" icon="trash-2" label={fill(c.removeRule, { number })} onPress={onRemove} />
      </div>
    </fieldset>
  )
}
