import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../../src/base/json.ts';

/** A schema of OpenAPI 3.0, as data. */
export type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
}

interface Description {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

const description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/forge/github-api.json'), 'utf8'),
) as Description;

/** The used part of GitHub's published description of its API (see `takeDescription.ts`). */
export function operationOf(route: string): Operation | undefined {
  return description.operations[route];
}

export const routes = Object.keys(description.operations);

function resolved(schema: Schema): Schema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const [, , kind = '', name = ''] = ref.split('/');
  const found = description.components[kind]?.[name];
  if (!found) throw new Error(`The description has no ${ref}.`);
  return resolved(found);
}

/** The schema of the JSON that a request has, or an answer with this status. */
function contentOf(holder: Schema | undefined): Schema | undefined {
  const content = holder && resolved(holder)['content'];
  const json = isRecord(content) ? content['application/json'] : undefined;
  const schema = isRecord(json) ? json['schema'] : undefined;
  return isRecord(schema) ? schema : undefined;
}

export function answerSchema(route: string, status: number): Schema | undefined {
  return contentOf(operationOf(route)?.responses[String(status)]);
}

/** What is wrong with a request's parameters and body. */
export function requestFaults(
  route: string,
  request: { readonly query: URLSearchParams; readonly body: unknown },
): readonly string[] {
  const { parameters = [], requestBody } = operationOf(route) ?? { responses: {} };
  const known = parameters.map(resolved).filter((one) => one['in'] === 'query');
  const unknown = [...request.query.keys()].filter((name) => !known.some((one) => one['name'] === name));
  const queryFaults = known.flatMap((parameter) => {
    const name = String(parameter['name']);
    const text = request.query.get(name);
    if (text === null) return parameter['required'] === true ? [`query.${name}: missing`] : [];
    const schema = resolved(parameter['schema'] as Schema);
    const value = schema['type'] === 'integer' ? Number(text) : text;
    return faults(schema, value, `query.${name}`);
  });
  const schema = contentOf(requestBody);
  const bodyFaults = schema ? faults(schema, request.body ?? {}, 'body') : [];
  return [...unknown.map((name) => `query.${name}: unknown`), ...queryFaults, ...bodyFaults];
}

/** What is wrong with an answer; a status that isn't described must be a plain error. */
export function answerFaults(route: string, status: number, body: unknown): readonly string[] {
  if (status === 304) return [];
  const schema = answerSchema(route, status);
  if (schema) return faults(schema, body, 'answer');
  if (status < 400 && body === undefined && operationOf(route)?.responses[String(status)]) return [];
  if (status >= 400) return isRecord(body) && typeof body['message'] === 'string' ? [] : ['answer: no error'];
  return [`answer: status ${String(status)} isn't described`];
}

/** The description's rules, and no property that it doesn't know. */
export function faults(given: Schema, value: unknown, at: string): readonly string[] {
  const schema = resolved(given);
  if (value === null) return schema['nullable'] === true || !('type' in schema) ? [] : [`${at}: null`];
  const some = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(some)) {
    const found = (some as Schema[]).map((one) => faults(one, value, at));
    return found.find((one) => one.length === 0) ?? found.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (Array.isArray(schema['allOf'])) return faults(joined(schema), value, at);
  const choices = schema['enum'];
  if (Array.isArray(choices) && !choices.includes(value)) return [`${at}: ${JSON.stringify(value)}`];
  switch (schema['type']) {
    case 'object':
      return isRecord(value) ? objectFaults(schema, value, at) : [`${at}: no object`];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((one, index) => faults((schema['items'] ?? {}) as Schema, one, `${at}[${index}]`))
        : [`${at}: no array`];
    case 'string':
      return typeof value === 'string' ? stringFaults(schema, value, at) : [`${at}: no string`];
    case 'integer':
      return Number.isSafeInteger(value) ? [] : [`${at}: no integer`];
    case 'number':
      return typeof value === 'number' ? [] : [`${at}: no number`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at}: no boolean`];
    default:
      return [];
  }
}

function objectFaults(schema: Schema, value: Record<string, unknown>, at: string): readonly string[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const required = (schema['required'] ?? []) as string[];
  const more = schema['additionalProperties'];
  const isOpen = more === true || isRecord(more) || Object.keys(properties).length === 0;
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${at}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const known = properties[name] ?? (isRecord(more) ? more : undefined);
      if (known) return faults(known, one, `${at}.${name}`);
      return isOpen ? [] : [`${at}.${name}: unknown`];
    }),
  ];
}

function stringFaults(schema: Schema, value: string, at: string): readonly string[] {
  const { format, maxLength } = schema;
  if (typeof maxLength === 'number' && value.length > maxLength) return [`${at}: too long`];
  if (format === 'uri' && !URL.canParse(value)) return [`${at}: no address`];
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) return [`${at}: no time`];
  return [];
}

function joined(schema: Schema): Schema {
  const all = (schema['allOf'] as Schema[]).map(resolved);
  const properties = Object.assign({}, ...all.map((one) => one['properties'] ?? {})) as Schema;
  return { type: 'object', properties, required: all.flatMap((one) => (one['required'] ?? []) as string[]) };
}

/** A whole answer: `value`, and the least of everything else that is required. */
export function filled(given: Schema, value?: unknown): unknown {
  const schema = resolved(given);
  if (Array.isArray(schema['allOf'])) return filled(joined(schema), value);
  const [first] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[];
  if (first) return filled(first, value);
  if (value === null) return null;
  if (schema['type'] === 'object') {
    if (value === undefined && schema['nullable'] === true) return null;
    const own = isRecord(value) ? value : {};
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const required = (schema['required'] ?? []) as string[];
    const names = new Set([...required, ...Object.keys(own)]);
    return Object.fromEntries(
      [...names].map((name) => [name, properties[name] ? filled(properties[name], own[name]) : own[name]]),
    );
  }
  if (schema['type'] === 'array')
    return Array.isArray(value) ? value.map((one) => filled((schema['items'] ?? {}) as Schema, one)) : [];
  return value === undefined ? leastOf(schema) : value;
}

function leastOf(schema: Schema): unknown {
  if (schema['nullable'] === true) return null;
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices[0];
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'uri'
        ? 'https://forge.example/'
        : schema['format'] === 'date-time'
          ? '2026-01-01T00:00:00Z'
          : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}
