/** Checks what JSON Schema itself accepts in a form: required fields, formats, bounds, defaults, and the keys of uiSchema. */
import { didYouMean, type FieldError, isRecord, type RecipeDiagnostic } from '@larder-dev/larder/kernel'
import { WIDGETS } from '../domain/field-model.ts'
import { compileSchema } from '../domain/schema-compiler.ts'
import { allSubschemas, type Json, type Subschema } from '../domain/schema-traversal.ts'

/** The formats that the validator of submissions checks or annotates. */
const FORMATS = [
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
]
/** Keywords with which the properties of an object may be declared elsewhere. */
const COMPOSING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', 'patternProperties']

export function validateFields(
  schema: Json,
  uiSchema: Json | undefined,
  form: RecipeDiagnostic['path'],
): RecipeDiagnostic[] {
  return [
    ...allSubschemas({ schema, path: [] }).flatMap(part => [
      ...requiredFaults(part, [...form, 'schema']),
      ...formatFaults(part, [...form, 'schema']),
      ...boundFaults(part, [...form, 'schema']),
      ...defaultFaults(part, schema, [...form, 'schema']),
    ]),
    ...(uiSchema ? uiFaults(uiSchema, schema, [...form, 'uiSchema']) : []),
  ]
}

/** Undefined if other keywords may declare more. */
function propertiesOf(schema: Json): Json | undefined {
  if (COMPOSING.some(keyword => keyword in schema)) return undefined
  return isRecord(schema.properties) ? schema.properties : undefined
}

function requiredFaults({ schema, path }: Subschema, root: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  const names = Object.keys(propertiesOf(schema) ?? {})
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  if (names.length === 0 || isOpen || !Array.isArray(schema.required)) return []
  return schema.required.flatMap((name: unknown, index) =>
    names.includes(String(name))
      ? []
      : [
          {
            code: 'unknown_property',
            path: [...root, ...path, 'required', index],
            message: `Required field "${name}" is not in properties`,
            hint: didYouMean(String(name), names) ?? `Fields are ${names.join(', ')}`,
          },
        ],
  )
}

function formatFaults({ schema: { format }, path }: Subschema, root: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  if (typeof format !== 'string' || FORMATS.includes(format)) return []
  return [
    {
      code: 'unknown_format',
      path: [...root, ...path, 'format'],
      message: `Unknown format "${format}"`,
      hint: didYouMean(format, FORMATS) ?? `Formats are ${FORMATS.join(', ')}`,
    },
  ]
}

const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
] as const

function boundFaults({ schema, path }: Subschema, root: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  return BOUNDS.flatMap(([least, most]) => {
    const [low, high] = [schema[least], schema[most]]
    if (typeof low !== 'number' || typeof high !== 'number' || low <= high) return []
    return [
      {
        code: 'invalid_option',
        path: [...root, ...path, least],
        message: `${least} ${low} is more than ${most} ${high}, so no entry could be valid`,
        hint: 'Exchange them',
      },
    ]
  })
}

/** @param root the schema whose definitions `schema` may reference. */
function defaultFaults({ schema, path }: Subschema, root: Json, at: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  if (schema.default === undefined) return []
  const { $schema, $defs = {}, definitions = {} } = root
  const [error] = errorsOf({ $schema, $defs, definitions, properties: { value: schema } }, { value: schema.default })
  if (!error) return []
  return [
    {
      code: 'invalid_value',
      path: [...at, ...path, 'default'],
      message: `The default doesn't match the schema of its field: it ${error.detail}`,
      hint: 'Change the default, or remove it',
    },
  ]
}

/** Returns no errors if the schema references parts of the form other than its definitions. */
function errorsOf(schema: Json, value: unknown): readonly FieldError[] {
  try {
    return compileSchema(schema)(value)
  } catch {
    return []
  }
}

function widgetFaults({ 'ui:widget': widget }: Json, path: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  if (widget === undefined || WIDGETS.includes(String(widget))) return []
  return [
    {
      code: 'unknown_widget',
      path: [...path, 'ui:widget'],
      message: `Unknown widget "${widget}"`,
      hint: didYouMean(String(widget), WIDGETS) ?? `Widgets are ${WIDGETS.join(', ')}`,
    },
  ]
}

function uiFaults(uiSchema: Json, schema: Json, path: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  const widgets = widgetFaults(uiSchema, path)
  const properties = propertiesOf(schema)
  if (!properties) return widgets
  const names = Object.keys(properties)
  const unknown = (name: string, at: RecipeDiagnostic['path']): RecipeDiagnostic => ({
    severity: 'warning',
    code: 'unknown_property',
    path: at,
    at: 'key',
    message: `Unknown field "${name}" in uiSchema`,
    hint: didYouMean(name, names) ?? `Fields are ${names.join(', ')}`,
  })
  const order = Array.isArray(uiSchema['ui:order']) ? uiSchema['ui:order'] : []
  return [
    ...widgets,
    ...order.flatMap((name: unknown, index) =>
      name === '*' || names.includes(String(name)) ? [] : [unknown(String(name), [...path, 'ui:order', index])],
    ),
    ...Object.entries(uiSchema).flatMap(([name, inner]) => {
      if (name.startsWith('ui:')) return []
      if (!names.includes(name)) return [unknown(name, [...path, name])]
      const property = properties[name]
      return isRecord(property) && isRecord(inner) ? uiFaults(inner, property, [...path, name]) : []
    }),
  ]
}
