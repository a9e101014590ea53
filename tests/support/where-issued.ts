import { test } from 'vitest';
import { service } from '../../src/facts/load.ts';

/** A test of issued API keys: skipped if none are issued. */
export const testWhereIssued = test.skipIf(service.keys === 'none');
