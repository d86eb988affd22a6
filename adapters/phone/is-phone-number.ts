// Tells phone numbers by the numbering plans of all countries (libphonenumber). Loaded by guards that look for them.
import parsePhoneNumber, { type CountryCode, type MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import type { IsPhoneNumber } from '../../core/guards/pii/phone.ts';

export const isPhoneNumber: IsPhoneNumber = (text, region) => {
  const options = {
    extract: false,
    ...(region === undefined ? {} : { defaultCountry: region as CountryCode }),
  };
  return parsePhoneNumber(text, options, metadata as unknown as MetadataJson)?.isValid() === true;
};
