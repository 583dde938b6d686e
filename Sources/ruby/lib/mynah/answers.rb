# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "answers/part1"
require_relative "answers/part2"
require_relative "answers/part3"
