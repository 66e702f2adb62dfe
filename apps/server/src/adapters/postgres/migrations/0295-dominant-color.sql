-- The colour that most of an image has, such as '#a1b2c3', to show while it loads. Null: taken in before this was read.
ALTER TABLE media ADD COLUMN dominant_color text COLLATE "C";
