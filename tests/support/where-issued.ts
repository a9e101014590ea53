import { test } from 'vitest';
import { service } from '../../src/facts/load.ts';

/** A test of API keys that are issued: left out where none are. */
export const testWhereIssued = test.skipIf(service.keys === 'none');
