"""The command line: parse, call the workbench, print. stdout carries data, stderr talk."""
