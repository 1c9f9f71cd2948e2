"""The session levels (RC RA CC PC PSI SI SER) decided on a black-box history: `verdict.decide`."""
