# SPDX-License-Identifier: MIT
"""Hold data against a JSON schema: the words of it that doc/explorer-schema.json uses, and no others."""

TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'integer': int}
WORDS = {'$schema', '$defs', 'title', 'description', '$ref', 'enum', 'type', 'minimum', 'maximum', 'required',
         'additionalProperties', 'properties', 'prefixItems', 'items', 'minItems'}


def faults(value, schema, root, at='$'):
   """What is wrong, line by line."""
   unknown = set(schema) - WORDS
   if unknown:
      yield f'{at}: the schema says {unknown}'
   if '$ref' in schema:
      yield from faults(value, root['$defs'][schema['$ref'].rpartition('/')[2]], root, at)
   if 'enum' in schema and value not in schema['enum']:
      yield f'{at}: {value!r} is none of {schema["enum"]}'
   kinds = schema.get('type', [])
   kinds = [kinds] if isinstance(kinds, str) else kinds
   if kinds and not any(isinstance(value, TYPES[k]) and (k != 'integer' or not isinstance(value, bool)) for k in kinds):
      yield f'{at}: {value!r} is no {kinds}'
      return
   if 'minimum' in schema and value < schema['minimum'] or 'maximum' in schema and value > schema['maximum']:
      yield f'{at}: {value} is out of range'
   if isinstance(value, dict):
      yield from faults_of_object(value, schema, root, at)
   if isinstance(value, list):
      yield from faults_of_array(value, schema, root, at)


def faults_of_object(value, schema, root, at):
   for name in schema.get('required', []):
      if name not in value:
         yield f'{at}: {name} is missing'
   for name, member in value.items():
      if name in schema.get('properties', {}):
         yield from faults(member, schema['properties'][name], root, f'{at}.{name}')
      elif schema.get('additionalProperties') is False:
         yield f'{at}: {name} is not in the schema'


def faults_of_array(value, schema, root, at):
   first = schema.get('prefixItems', [])
   rest = schema.get('items', {})
   if len(value) < schema.get('minItems', 0):
      yield f'{at}: {len(value)} items'
   if rest is False and len(value) > len(first):
      yield f'{at}: {len(value)} items'
   for n, item in enumerate(value):
      if n < len(first):
         yield from faults(item, first[n], root, f'{at}[{n}]')
      elif rest:
         yield from faults(item, rest, root, f'{at}[{n}]')
