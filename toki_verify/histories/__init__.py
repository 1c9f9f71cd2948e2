"""Large histories: arrays instead of objects, the formats of the field, and the levels of black-box testers."""
