using System.Text;
using EventHubThroughput.Lab.Comparing.Reports;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

/// <summary>A value of CSV is data for any program that opens it.</summary>
public sealed class CsvLineTests
{
    [Theory]
    [InlineData("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0")]
    [InlineData("@SUM(1)", "'@SUM(1)")]
    [InlineData("+1+1", "'+1+1")]
    [InlineData("=A1,B1", "\"'=A1,B1\"")]
    [InlineData("-1.5e3", "-1.5e3")]
    [InlineData("-", "-")]
    [InlineData("say \"no\"", "\"say \"\"no\"\"\"")]
    [InlineData("two\nlines", "two lines")]
    public void A_text_stays_a_text(string value, string expected)
    {
        var text = new StringBuilder();

        CsvLine.Append(text, [value, "x"]);

        Assert.Equal($"{expected},x\r\n", text.ToString());
    }
}
