CREATE INDEX ship_weight ON ship(weight);
