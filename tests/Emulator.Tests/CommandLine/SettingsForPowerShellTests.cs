using System.Text;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

/// <summary>What PowerShell reads from the settings that are printed for it, by the rules of about_Quoting_Rules.</summary>
public sealed class SettingsForPowerShellTests
{
    // U+2018 to U+201B end a string in PowerShell as a plain quote does.
    private const string Quotes = "'\u2018\u2019\u201A\u201B";

    [Fact]
    public void Every_variable_is_assigned_inside_of_one_block() =>
        Assert.Equal(
            """
            & {
            $env:EVENTHUB_NAME = 'hub'
            $env:KEY = 'it''s $(not) `run "here"'
            }
            """.ReplaceLineEndings("\n"),
            EmulatorSettings.ToPowerShell(new Dictionary<string, string> { ["EVENTHUB_NAME"] = "hub", ["KEY"] = "it's $(not) `run \"here\"" })
        );

    [Fact]
    public void Any_text_is_read_back_as_it_was()
    {
        var letters = Gen.OneOf(Gen.Elements(Quotes.ToCharArray()), Gen.Elements("a$`\"#;{}\r\n\\ ü".ToCharArray()), ArbMap.Default.ArbFor<char>().Generator);
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                letters.ArrayOf().Select(static text => new string(text)).ToArbitrary(),
                letters.ArrayOf().Select(static text => new string(text)).ToArbitrary(),
                static (one, two) =>
                {
                    var settings = new Dictionary<string, string> { ["ONE"] = one, ["TWO"] = two };
                    Assert.Equal(settings, Read(EmulatorSettings.ToPowerShell(settings)));
                }
            )
        );
    }

    // Reads like PowerShell's tokenizer: a single-quoted string ends at a quote that no other follows, and two quotes are one.
    private static Dictionary<string, string> Read(string script)
    {
        var settings = new Dictionary<string, string>();
        var at = Skip(script, 0, "& {\n");
        while (script[at] == '$')
        {
            at = Skip(script, at, "$env:");
            var end = script.IndexOf(' ', at);
            var name = script[at..end];
            at = Skip(script, end, " = '");
            var value = new StringBuilder();
            for (; !Quotes.Contains(script[at]) || Quotes.Contains(script[at + 1]); at++)
            {
                at += Quotes.Contains(script[at]) ? 1 : 0;
                value.Append(script[at]);
            }

            settings.Add(name, value.ToString());
            at = Skip(script, at + 1, "\n");
        }

        Assert.Equal("}", script[at..]);
        return settings;
    }

    private static int Skip(string script, int at, string expected)
    {
        Assert.Equal(expected, script.Substring(at, expected.Length));
        return at + expected.Length;
    }
}
